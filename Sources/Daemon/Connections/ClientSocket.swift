import Linux

/// The socket of a client, as the poller knows it; it stays closed after its client has disconnected.
struct ClientSocket: ~Copyable {
  private var owned: OwnedDescriptor?
  private let number: Int32
  private var key: Poller.Key?
  private var interest: Readiness = .readable

  /// - Parameter descriptor: `nil` for a client that has disconnected.
  init(_ descriptor: consuming OwnedDescriptor?) {
    number = descriptor?.number ?? -1
    owned = consume descriptor
  }

  /// The open descriptor, which the socket still owns.
  var descriptor: Int32? { owned == nil ? nil : number }
  /// True while it is polled.
  var isPolled: Bool { key != nil }
  var transfer: Transfer { Transfer(number) }

  /// Returns the number of bytes that the kernel accepted; `nil` if the client has disconnected.
  @inline(__always)
  func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    do throws(Errno) {
      return if case .bytes(let count) = try transfer.send(bytes) { count } else { 0 }
    } catch {
      return nil
    }
  }

  /// Starts polling, unless it is closed.
  mutating func startPolling(_ poller: Poller, for target: any PollTarget) throws(Errno) {
    if owned != nil { key = try poller.add(number, target, for: interest) }
  }

  /// Changes the events that it is polled for.
  @inline(__always)
  mutating func poll(_ poller: Poller, for events: Readiness) throws(Errno) {
    // A disconnected peer is always reported; without an interest, only once.
    let wanted = events.isEmpty ? .once : events
    if wanted == interest { return }
    interest = wanted
    if let key { try poller.change(key, number, for: wanted) }
  }

  mutating func close(_ poller: Poller) {
    if let key { try? poller.remove(key, number) }
    key = nil
    owned = nil
  }
}
