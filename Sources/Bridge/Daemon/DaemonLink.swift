package import Linux
internal import WireProtocol

/// A connection to the daemon on the program's loop, whose lines are written once an iteration.
package final class DaemonLink: PollTarget {
  /// Called with each line, without its end.
  var received: (Span<UInt8>) -> Void = { _ in }
  /// Called once when the daemon has closed, or cannot be written to; never from within another call.
  var closed: () -> Void = {}
  /// Called when the bytes that wait have become few again.
  var drained: () -> Void = {}

  private let loop: EventLoop
  private let poller: Poller
  private var socket: OwnedDescriptor?
  private let number: Int32
  private var key: Poller.Key?
  private var interest: Readiness = .readable
  private var splitter = LineSplitter(limit: longestLine)
  private var unsent: [UInt8] = []
  private var sentCount = 0
  private var isFlushPosted = false
  private var isLost = false

  private static let chunkSize = 64 << 10
  /// The longest line of the daemon in bytes; a longer one ends the connection.
  private static let longestLine = 64 << 20
  /// The bytes that wait for the daemon above which nothing more should be begun.
  private static let comfortableSize = 4 << 20

  /// Takes a connected socket over.
  package init(_ socket: consuming OwnedDescriptor, loop: EventLoop, poller: Poller) throws(Errno) {
    try socket.setBlocking(false)
    number = socket.number
    self.loop = loop
    self.poller = poller
    self.socket = consume socket
    key = try poller.add(number, self, for: interest)
  }

  deinit { close() }

  var isOpen: Bool { socket != nil && !isLost }

  /// Indicates that the daemon takes its lines more slowly than they come.
  var isCongested: Bool { unsent.count - sentCount > Self.comfortableSize }

  /// Indicates that all lines have been written.
  var isFlushed: Bool { sentCount == unsent.count }

  func send(_ bytes: [UInt8]) {
    guard isOpen else { return }
    unsent += bytes
    if isFlushPosted { return }
    isFlushPosted = true
    loop.post { [weak self] in
      self?.isFlushPosted = false
      self?.flush()
    }
  }

  /// Closes the connection without further calls.
  func close() {
    guard socket != nil else { return }
    if let key { try? poller.remove(key, number) }
    key = nil
    socket = nil
    received = { _ in }
    closed = {}
    drained = {}
  }

  package func ready(_ readiness: Readiness) {
    if readiness.contains(.writable) { flush() }
    if readiness != .writable { read() }
  }

  private func read() {
    guard isOpen else { return }
    let chunk: [UInt8]
    do throws(Errno) {
      guard let bytes = try Transfer(number).read(upTo: Self.chunkSize) else { return }
      chunk = bytes
    } catch { return lose() }
    if chunk.isEmpty { return lose() }
    _ = splitter.append(chunk.span, now: 0) { line in
      if let line = copy line { if isOpen { received(line) } } else { lose() }
      return .next
    }
  }

  private func flush() {
    guard isOpen, !isFlushed else { return }
    let wasCongested = isCongested
    let sent: Int? = unsent.withUnsafeBytes { bytes in
      do throws(Errno) {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sentCount...])
        guard case .bytes(let count) = try Transfer(number).send(rest) else { return 0 }
        return count
      } catch { return nil }
    }
    guard let sent else { return lose() }
    sentCount += sent
    if isFlushed {
      unsent.removeAll(keepingCapacity: unsent.count <= Self.chunkSize)
      sentCount = 0
    }
    watch()
    if wasCongested && !isCongested { drained() }
  }

  private func watch() {
    guard isOpen, let key else { return }
    let wanted: Readiness = isFlushed ? .readable : Readiness(rawValue: 0x5)
    if wanted == interest { return }
    interest = wanted
    try? poller.change(key, number, for: wanted)
  }

  private func lose() {
    guard isOpen else { return }
    isLost = true
    if let key { try? poller.remove(key, number) }
    key = nil
    loop.post { [weak self] in
      guard let self else { return }
      let closed = closed
      close()
      closed()
    }
  }
}
