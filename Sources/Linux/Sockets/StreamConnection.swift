/// A connected stream socket on a loop, which reads chunks as they arrive and writes bytes as fast as the peer takes them.
///
/// The bytes that are sent in an iteration are written together at its end.
package final class StreamConnection: PollTarget {
  /// Called with each chunk.
  package var received: ([UInt8]) -> Void = { _ in }
  /// Called once when the peer has closed, or cannot be written to; never from within another call.
  package var closed: () -> Void = {}
  /// Called at the end of a congestion.
  package var drained: () -> Void = {}

  private let loop: EventLoop
  private let poller: Poller
  private var socket: OwnedDescriptor?
  private let number: Int32
  private var key: Poller.Key?
  private var interest: Readiness = .readable
  private var unsent: [UInt8] = []
  /// The number of bytes at the beginning of `unsent` that have been sent: a long line is not moved for each part of
  /// it.
  private var sentCount = 0
  private var isPaused = false
  private var isFlushPosted = false
  private var isLost = false

  private static let chunkSize = 32 << 10
  /// The number of unsent bytes above which nothing more should be sent.
  private static let congestion = 4 << 20

  package init(_ socket: consuming OwnedDescriptor, loop: EventLoop, poller: Poller) throws(Errno) {
    try socket.setBlocking(false)
    number = socket.number
    self.loop = loop
    self.poller = poller
    self.socket = consume socket
    key = try poller.add(number, self, for: interest)
  }

  deinit { close() }

  package var isOpen: Bool { socket != nil && !isLost }

  /// True if the peer takes bytes more slowly than they are sent.
  package var isCongested: Bool { unsent.count - sentCount > Self.congestion }

  /// True if all bytes have been written.
  package var isFlushed: Bool { sentCount == unsent.count }

  package func send(_ bytes: [UInt8]) {
    guard isOpen else { return }
    unsent += bytes
    if isFlushPosted { return }
    isFlushPosted = true
    loop.post { [weak self] in
      self?.isFlushPosted = false
      self?.flush()
    }
  }

  /// Stops reading, so that the peer has to wait.
  package func pause() {
    isPaused = true
    watch()
  }

  package func resume() {
    isPaused = false
    watch()
  }

  /// Closes the connection without further calls.
  package func close() {
    guard socket != nil else { return }
    unwatch()
    socket = nil
    received = { _ in }
    closed = {}
    drained = {}
  }

  package func ready(_ readiness: Readiness) {
    if readiness.contains(.writable) { flush() }
    let hasInput = readiness != .writable && !isPaused
    if hasInput || readiness.contains(.hungUp) || readiness.contains(.failed) { read() }
  }

  private func read() {
    guard isOpen else { return }
    do throws(Errno) {
      guard let chunk = try Transfer(number).read(upTo: Self.chunkSize) else { return }
      if chunk.isEmpty { lose() } else { received(chunk) }
    } catch { lose() }
  }

  /// Delivers what the peer had sent before it closed, such as the reason for that, and closes the connection.
  private func takeRest() {
    while isOpen, let chunk = try? Transfer(number).read(upTo: Self.chunkSize), !chunk.isEmpty { received(chunk) }
    lose()
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
    guard let sent else { return takeRest() }
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
    var wanted = isPaused ? Readiness() : .readable
    if !isFlushed { wanted.insert(.writable) }
    if wanted == interest { return }
    interest = wanted
    try? poller.change(key, number, for: wanted)
  }

  private func unwatch() {
    if let key { try? poller.remove(key, number) }
    key = nil
  }

  /// Closes the connection as if the peer had.
  package func lose() {
    guard isOpen else { return }
    isLost = true
    unwatch()
    loop.post { [weak self] in
      guard let self else { return }
      let closed = closed
      close()
      closed()
    }
  }
}
