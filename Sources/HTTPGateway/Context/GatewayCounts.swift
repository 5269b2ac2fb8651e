/// The things that the gateway counts of itself.
struct GatewayCounts {
  /// Answers by their status.
  private(set) var answers: [Int: UInt64] = [:]
  /// Streams of events that are open.
  var streams = 0

  mutating func answer(_ status: Int) { answers[status, default: 0] += 1 }
}
