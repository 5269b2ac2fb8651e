/// Events of one stream at the end of the iteration buffer that have not been delivered yet.
///
/// They typically come from a client that sends to one signal, and are delivered together: a hundred of them cost a
/// subscriber as much as one. Any other write, and any change of the subscriptions, has them delivered first.
struct EventBatch {
  /// The size at which a batch is complete: at most half of what is committed to a client.
  private static let size = WriteBuffer.most / 2

  private var stream: Unmanaged<EventEncoder>?
  private var start = 0
  var count = 0

  init() {}

  init(of stream: EventEncoder, from start: Int) {
    self.stream = .passUnretained(stream)
    self.start = start
  }

  @inline(__always) var isEmpty: Bool { stream == nil }

  /// Indicates that the next event of a stream can be added.
  @inline(__always)
  func takes(_ stream: EventEncoder, at end: Int) -> Bool {
    self.stream?.toOpaque() == Unmanaged.passUnretained(stream).toOpaque() && end - start <= Self.size
  }

  /// Delivers the events to the subscribers of the stream; one that is removed stays alive until the iteration ends.
  @inline(__always)
  func deliver(upTo end: Int, in iteration: LoopIteration) {
    stream?._withUnsafeGuaranteedRef { $0.deliver(start..<end, count: count, in: iteration) }
  }
}
