/// The output of one turn of the loop for clients: its bytes, and the work that waits for its end.
///
/// The bytes are written once, then shared by everyone who gets them: an outbox keeps the place of its bytes in here
/// and hands them to the kernel from here; only what the kernel does not take is copied. At the end of the turn, when
/// all outboxes have been flushed, they start again at zero.
final class Turn {
  /// Past this size the outboxes are flushed within the turn, so that the bytes are still in the processor's cache.
  static let comfortableSize = 1 << 18

  /// When it is.
  let clock: TurnClock
  /// Whether what comes about now was sent by a client, who can be made to wait.
  var hasSender = false
  /// The buffer that events and replies append themselves to.
  var bytes: [UInt8] = []
  private var batch = EventBatch()
  /// Whether the events that are being handed out are the last, so that nobody has to be noted for them.
  private(set) var isEnding = false
  /// Outboxes with something to flush.
  private var dirty: [any Flushable] = []
  private var sharing = LastShared()
  /// Buffers that outboxes have emptied.
  var spares = SpareBuffers()
  /// How long this turn's values take, by their signals.
  var latencies = TurnLatencies()
  /// Objects that have gone in this turn, but may be in the middle of something.
  private var kept: [AnyObject] = []

  init(_ clock: TurnClock) { self.clock = clock }

  @inline(__always) var count: Int { bytes.count }

  /// Has an outbox flushed at the end of the turn.
  func schedule(_ outbox: any Flushable) {
    dirty.append(outbox)
  }

  /// Keeps an object until the turn ends.
  func keep(_ object: AnyObject) { kept.append(object) }

  /// Counts an event of a stream that is about to be appended, to be handed out later.
  @inline(__always)
  func openBatch(of stream: EventStream) {
    if !batch.takes(stream, at: bytes.count) {
      closeBatch()
      batch = EventBatch(of: stream, from: bytes.count)
    }
    batch.count += 1
  }

  /// Hands out the events that wait for it.
  @inline(__always)
  func closeBatch() {
    if batch.isEmpty { return }
    let batch = batch
    self.batch = EventBatch()
    batch.handOut(upTo: bytes.count, in: self)
  }

  /// Bytes of this turn in a form that outlives it, made once for however many slow clients.
  func shared(_ range: Range<Int>) -> SharedBytes { sharing.bytes(range, of: bytes) }

  /// Flushes within the turn when much has come together.
  func flushIfLarge() {
    if bytes.count > Self.comfortableSize { flush() }
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
    sharing = LastShared()
    let isUnusual = bytes.capacity > 4 * Self.comfortableSize
    bytes.removeAll(keepingCapacity: !isUnusual)
  }

  /// Lets go of what was kept, once all is written, and counts how long its values took.
  func end() {
    if !kept.isEmpty { kept = [] }
    latencies.end(begun: clock.now)
  }
}

/// Something that writes what it holds when the turn ends.
protocol Flushable: AnyObject {
  func flush()
}
