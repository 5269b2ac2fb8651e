import Glibc
import Linux

/// The bytes that a turn produces for clients: written once, then shared by everyone who gets them.
///
/// An outbox keeps the place of its bytes in here and hands them to the kernel from here; only what the kernel does not
/// take is copied. At the end of the turn, when all outboxes have been flushed, the buffer starts again at zero.
final class TurnBuffer {
  /// Past this size the outboxes are flushed within the turn, so that the bytes are still in the processor's cache.
  static let comfortableSize = 1 << 18

  /// A batch that is longer than this takes no more: half of what is committed to a client at most.
  private static let batchSize = Outbox.commitment / 2

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
  /// The stream whose events stand last in the buffer and have not been handed to its subscribers yet, from `batchStart` on.
  private var batchStream: Unmanaged<EventStream>?
  private var batchStart = 0
  private var batchCount = 0
  /// Whether the events that are being handed out are the last, so that nobody has to be noted for them.
  private(set) var isEnding = false
  /// What has gone in this turn, but may be in the middle of something.
  private var kept: [AnyObject] = []

  @inline(__always) var count: Int { bytes.count }

  /// Has an outbox flushed at the end of the turn.
  func schedule(_ outbox: any Flushable) {
    dirty.append(outbox)
  }

  // MARK: Batches

  // Events of one stream that come one behind the other, as they do from a client that sends to one signal, are handed out
  // together: a subscriber costs as much for a hundred of them as for one. Whatever else is written, or changes who
  // listens, has them handed out first.

  /// Counts an event of a stream that is about to be appended, to be handed out later.
  @inline(__always)
  func openBatch(of stream: EventStream) {
    let isSame = batchStream?.toOpaque() == Unmanaged.passUnretained(stream).toOpaque()
    if !isSame || bytes.count - batchStart > Self.batchSize {
      closeBatch()
      batchStream = .passUnretained(stream)
      batchStart = bytes.count
    }
    batchCount += 1
  }

  /// Hands out the events that wait for it.
  @inline(__always)
  func closeBatch() {
    guard let stream = batchStream else { return }
    let (events, count) = (batchStart..<bytes.count, batchCount)
    batchStream = nil
    batchCount = 0
    // A stream that goes is kept until the turn ends.
    stream._withUnsafeGuaranteedRef { $0.handOut(events, count: count, in: self) }
  }

  /// Flushes every outbox that has something, and starts again.
  func flush() {
    isEnding = true
    closeBatch()
    isEnding = false
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

  /// Takes the lines of a stretch apart; a value has no end of line in it.
  func forEachLine(in range: Range<Int>, _ body: (Range<Int>) -> Void) {
    var start = range.lowerBound
    while let end = endOfLine(in: start..<range.upperBound) {
      body(start..<end)
      start = end
    }
  }

  /// The place behind the next end of line.
  private func endOfLine(in range: Range<Int>) -> Int? {
    bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { base in
        memchr(base + range.lowerBound, 0x0A, range.count).map { base.distance(to: $0) + 1 }
      }
    }
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
