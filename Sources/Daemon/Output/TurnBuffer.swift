import Linux

/// The bytes that a turn produces for clients: written once, then shared by everyone who gets them.
///
/// An outbox keeps the place of its bytes in here and hands them to the kernel from here; only what the kernel does not
/// take is copied. At the end of the turn, when all outboxes have been flushed, the buffer starts again at zero.
final class TurnBuffer {
  /// Past this size the outboxes are flushed within the turn, so that the bytes are still in the processor's cache.
  static let comfortableSize = 1 << 18

  /// Whether what comes about now was sent by a client, who can be made to wait.
  var hasSender = false
  /// What events and replies append themselves to.
  var bytes: [UInt8] = []
  /// Outboxes with something to flush.
  private var dirty: [any Flushable] = []
  private var spares: [[UInt8]] = []
  private var lastShared: SharedBytes?
  /// The signals with values in this turn.
  private var noted: [Latency] = []
  private var lastSharedRange = 0..<0
  /// What has gone in this turn, but may be in the middle of something.
  private var kept: [AnyObject] = []

  @inline(__always) var count: Int { bytes.count }

  /// Has an outbox flushed at the end of the turn.
  func schedule(_ outbox: any Flushable) {
    dirty.append(outbox)
  }

  /// Flushes every outbox that has something, and starts again.
  func flush() {
    while !dirty.isEmpty {
      let batch = dirty
      dirty.removeAll(keepingCapacity: true)
      for outbox in batch { outbox.flush() }
    }
    lastShared = nil
    lastSharedRange = 0..<0
    let isUnusual = bytes.capacity > 4 * Self.comfortableSize
    bytes.removeAll(keepingCapacity: !isUnusual)
  }

  /// Notes that this turn has values of a signal.
  @inline(__always)
  func note(_ latency: Latency) {
    if latency.isNoted { return }
    latency.isNoted = true
    noted.append(latency)
  }

  /// Keeps an object until the turn ends.
  func keep(_ object: AnyObject) { kept.append(object) }

  /// Once all is written: lets go of what was kept, and counts how long the values of the turn took.
  func end(begun begin: MonotonicInstant) {
    if !kept.isEmpty { kept = [] }
    if noted.isEmpty { return }
    let nanoseconds = MonotonicInstant.now().nanoseconds - begin.nanoseconds
    for latency in noted { latency.add(nanoseconds: nanoseconds) }
    noted.removeAll(keepingCapacity: true)
  }

  /// Flushes within the turn when much has come together.
  func flushIfLarge() {
    if bytes.count > Self.comfortableSize { flush() }
  }

  /// Bytes of this turn in a form that outlives it, made once for however many slow clients.
  func shared(_ range: Range<Int>) -> SharedBytes {
    if let lastShared, lastSharedRange == range { return lastShared }
    // An array made of a slice that covers all of another one is that other one, with all its room.
    let shared = SharedBytes(bytes[range].withUnsafeBufferPointer { [UInt8]($0) })
    lastShared = shared
    lastSharedRange = range
    return shared
  }

  // A buffer that one outbox has emptied serves the next one: clients that are idle hold none.

  func takeSpare() -> [UInt8] {
    spares.popLast() ?? []
  }

  func giveBack(_ buffer: consuming [UInt8]) {
    if spares.count >= 16 || buffer.capacity > 4 * Outbox.commitment { return }
    buffer.removeAll(keepingCapacity: true)
    spares.append(buffer)
  }
}

/// Something that writes what it holds when the turn ends.
protocol Flushable: AnyObject {
  func flush()
}

/// Encoded bytes that several queues share.
final class SharedBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
}
