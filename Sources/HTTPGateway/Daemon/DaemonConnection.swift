internal import Linux
internal import WireProtocol

/// A non-blocking connection to the daemon on the program's loop.
final class DaemonConnection: PollTarget {
  /// Called with each line, without its end.
  var received: (Span<UInt8>) -> Void = { _ in }
  /// Called once when the daemon has closed, or cannot be written to.
  var closed: () -> Void = {}

  private let poller: Poller
  private var socket: OwnedDescriptor?
  private let number: Int32
  private var key: Poller.Key?
  private var interest: Readiness = .readable
  private var splitter = LineSplitter(limit: .max)
  private var unsent: [UInt8] = []
  /// The number of bytes at the beginning of `unsent` that have been sent: a long line is not moved for each part of
  /// it.
  private var sentCount = 0
  private var isPaused = false

  private static let chunkSize = 32 << 10

  init(path: String, poller: Poller) throws(Errno) {
    let socket = try UnixSocket.connect(path: path, blocking: false)
    number = socket.number
    self.poller = poller
    self.socket = consume socket
    key = try poller.add(number, self, for: interest)
  }

  deinit { close() }

  var isOpen: Bool { socket != nil }

  func send(_ request: some WireRequest, id: Int? = nil) { send(request.line(id: id.map { RequestID($0) })) }

  /// Sends bytes as far as the socket accepts them; the rest follows.
  func send(_ bytes: [UInt8]) {
    guard isOpen else { return }
    unsent += bytes
    flush()
  }

  /// Stops reading, so that the daemon's overflow policy applies; lines that have been read are still delivered.
  func pause() {
    isPaused = true
    watch()
  }

  func resume() {
    isPaused = false
    watch()
  }

  /// Closes the connection without further callbacks.
  func close() {
    guard isOpen else { return }
    if let key { try? poller.remove(key, number) }
    key = nil
    socket = nil
    received = { _ in }
    closed = {}
  }

  func ready(_ readiness: Readiness) {
    if readiness.contains(.writable) { flush() }
    if !isPaused || readiness.contains(.hungUp) || readiness.contains(.failed) { read() }
  }

  private func read() {
    guard isOpen else { return }
    let chunk: [UInt8]
    do throws(Errno) {
      guard let bytes = try Transfer(number).read(upTo: Self.chunkSize) else { return }
      chunk = bytes
    } catch { return lose() }
    if chunk.isEmpty { return lose() }
    // The callback may release or close this connection.
    let kept = self
    _ = splitter.append(chunk.span, now: 0) { line in
      if let line = copy line, isOpen { received(line) }
      return .next
    }
    withExtendedLifetime(kept) {}
  }

  private func flush() {
    guard isOpen, !unsent.isEmpty else { return }
    let sent: Int? = unsent.withUnsafeBytes { bytes in
      do throws(Errno) {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sentCount...])
        guard case .bytes(let count) = try Transfer(number).send(rest) else { return 0 }
        return count
      } catch { return nil }
    }
    guard let sent else { return lose() }
    sentCount += sent
    if sentCount == unsent.count {
      unsent = []
      sentCount = 0
    }
    watch()
  }

  private func watch() {
    guard isOpen, let key else { return }
    var wanted = isPaused ? Readiness() : .readable
    if !unsent.isEmpty { wanted.insert(.writable) }
    if wanted == interest { return }
    interest = wanted
    try? poller.change(key, number, for: wanted)
  }

  private func lose() {
    let closed = closed
    close()
    closed()
  }
}
