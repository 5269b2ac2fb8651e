/// Events of one stream that stand last in the turn's buffer, one behind the other, and have not been handed out yet.
///
/// So they come from a client that sends to one signal, and so they are handed out: a subscriber costs as much for a
/// hundred of them as for one. Any other write, and any change of the listeners, has them handed out first.
struct EventBatch {
  /// A batch that is longer than this takes no more: half of what is committed to a client at most.
  private static let size = CommittedBytes.most / 2

  private var stream: Unmanaged<EventStream>?
  private var start = 0
  var count = 0

  init() {}

  init(of stream: EventStream, from start: Int) {
    self.stream = .passUnretained(stream)
    self.start = start
  }

  @inline(__always) var isEmpty: Bool { stream == nil }

  /// Whether the next event of a stream belongs to it too.
  @inline(__always)
  func takes(_ stream: EventStream, at end: Int) -> Bool {
    self.stream?.toOpaque() == Unmanaged.passUnretained(stream).toOpaque() && end - start <= Self.size
  }

  /// Hands the events to those who listen to the stream; one that goes is kept until the turn ends.
  @inline(__always)
  func handOut(upTo end: Int, in turn: Turn) {
    stream?._withUnsafeGuaranteedRef { $0.handOut(start..<end, count: count, in: turn) }
  }
}
