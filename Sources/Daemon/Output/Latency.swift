import Linux

/// How long a signal's subscribers have waited for its values: from the beginning of a turn, when the daemon read what
/// caused them, to its end, when every subscriber had been written to.
final class Latency {
  /// Turns in which subscribers were written to.
  private(set) var count: UInt64 = 0
  /// What these have taken together, in nanoseconds.
  private(set) var nanoseconds: Int64 = 0
  /// Whether this turn has values of the signal.
  var isNoted = false

  func add(nanoseconds duration: Int64) {
    count += 1
    nanoseconds += duration
    isNoted = false
  }
}
