/// The gateway's own counters.
struct GatewayCounts {
  /// The number of responses by status.
  private(set) var answers: [Int: UInt64] = [:]
  /// The number of open event streams.
  var streams = 0

  mutating func answer(_ status: Int) { answers[status, default: 0] += 1 }
}
