/// The activity of a signal between two samples.
struct Activity {
  let name: String
  let counts: Sample.Counts
  /// Values a second.
  let rate: Double
  /// The mean time from a client's line until every subscriber was written to, in seconds; `nil` without deliveries.
  let latency: Double?
  /// True if it has failed, or values were refused, dropped or lost in the meantime.
  let isTroubled: Bool

  /// Returns the activities in the order of the configuration.
  static func all(from before: Sample, to after: Sample) -> [Activity] {
    let seconds = after.uptime - before.uptime
    return after.signals.map { Activity($0.name, from: before[$0.name] ?? $0.counts, to: $0.counts, seconds) }
  }

  private init(_ name: String, from before: Sample.Counts, to after: Sample.Counts, _ seconds: Double) {
    self.name = name
    counts = after
    rate = seconds > 0 ? (after.values - before.values) / seconds : 0
    let deliveries = after.deliveries - before.deliveries
    latency = deliveries > 0 ? (after.latency - before.latency) / deliveries : nil
    isTroubled =
      after.errors > before.errors || after.dropped > before.dropped || after.lost > before.lost
      || after.ending == "failed"
  }
}
