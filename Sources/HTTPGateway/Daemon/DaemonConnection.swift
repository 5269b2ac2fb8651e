internal import ClientCore
internal import Linux
internal import WireProtocol

/// A connection to the daemon on the program's loop.
final class DaemonConnection {
  /// Called with each line, without its end.
  var received: (Span<UInt8>) -> Void = { _ in }

  private let stream: StreamConnection
  private var lines = LineBuffer()

  init(path: String, loop: EventLoop, poller: Poller) throws(Errno) {
    stream = try StreamConnection(try UnixSocket.connect(path: path, blocking: false), loop: loop, poller: poller)
    stream.received = { [unowned self] in take($0) }
  }

  /// Called once when the daemon has closed, or cannot be written to.
  var closed: () -> Void {
    get { stream.closed }
    set { stream.closed = newValue }
  }

  func send(_ request: some WireRequest, id: Int? = nil) { stream.send(request.line(id: id.map { RequestID($0) })) }

  /// Stops reading, so that the daemon's overflow policy applies; lines that have been read are still delivered.
  func pause() { stream.pause() }
  func resume() { stream.resume() }

  /// Closes the connection without further callbacks.
  func close() { stream.close() }

  private func take(_ chunk: [UInt8]) {
    lines.append(chunk)
    while stream.isOpen, let line = lines.next() { received(line.span) }
  }
}
