import Linux

/// The output of one iteration of the event loop: its bytes, and the work that waits for its end.
///
/// The bytes are written once and shared by all their recipients: a send buffer refers to a range of them and writes it
/// to the kernel from here; only what the kernel does not accept is copied. At the end of the iteration, when all send
/// buffers have been flushed, the buffer is emptied.
final class LoopIteration {
  /// The size above which send buffers are flushed within the iteration, so that the bytes are still in the processor's
  /// cache.
  static let comfortableSize = 1 << 18

  /// The clock of the loop.
  let clock: IterationClock
  /// True while the current events were caused by a client, which can be paused.
  var hasSender = false
  /// The number of lines handled so far.
  var requests: UInt64 = 0
  /// The buffer that events and replies are appended to.
  var bytes: [UInt8] = []
  private var flushedBytes = 0
  private var batch = EventBatch()
  /// True while the last events of the iteration are delivered, which need no send buffer to be scheduled.
  private(set) var isEnding = false
  /// The send buffers to flush.
  private var dirty: [any Flushable] = []
  private var sharing = LastShared()
  /// Empty buffers to reuse.
  var spares = SpareBuffers()
  /// The latencies of this iteration's values, by signal.
  var latencies = IterationLatencies()
  /// Objects that were removed in this iteration, but may be in use further up the stack.
  private var kept: [AnyObject] = []

  init(_ clock: IterationClock) { self.clock = clock }

  @inline(__always) var count: Int { bytes.count }

  /// The number of bytes so far, with those that were flushed.
  @inline(__always) var totalBytes: Int { flushedBytes &+ bytes.count }

  /// Schedules a send buffer to be flushed at the end of the iteration.
  func schedule(_ sendBuffer: any Flushable) {
    dirty.append(sendBuffer)
  }

  /// Keeps an object alive until the iteration ends.
  func keep(_ object: AnyObject) { kept.append(object) }

  /// Counts an event of a stream that is about to be appended, to be delivered later.
  @inline(__always)
  func openBatch(of stream: EventEncoder) {
    if !batch.takes(stream, at: bytes.count) {
      closeBatch()
      batch = EventBatch(of: stream, from: bytes.count)
    }
    batch.count += 1
  }

  /// Delivers the batched events.
  @inline(__always)
  func closeBatch() {
    if batch.isEmpty { return }
    let batch = batch
    self.batch = EventBatch()
    batch.deliver(upTo: bytes.count, in: self)
  }

  /// Returns a copy of bytes that outlives the iteration, made once for all slow clients.
  func shared(_ range: Range<Int>) -> SharedBytes { sharing.bytes(range, of: bytes) }

  /// Flushes within the iteration once the buffer is large.
  func flushIfLarge() {
    if bytes.count > Self.comfortableSize { flush() }
  }

  /// Flushes every scheduled send buffer and empties the buffer.
  func flush() {
    isEnding = true
    closeBatch()
    isEnding = false
    while !dirty.isEmpty {
      let batch = dirty
      dirty.removeAll(keepingCapacity: true)
      for sendBuffer in batch { sendBuffer.flush() }
    }
    sharing = LastShared()
    flushedBytes &+= bytes.count
    let isUnusual = bytes.capacity > 4 * Self.comfortableSize
    bytes.removeAll(keepingCapacity: !isUnusual)
  }

  /// Releases the kept objects once all is written, and records the latencies.
  func end() {
    // A batch refers to its stream, which may be one of these objects.
    closeBatch()
    if !kept.isEmpty { kept = [] }
    latencies.end(begun: clock.now)
  }
}

/// An object that writes its output when the iteration ends.
protocol Flushable: AnyObject {
  func flush()
}
