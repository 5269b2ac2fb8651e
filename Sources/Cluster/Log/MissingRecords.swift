internal import Signals

/// The search for records that are known to exist and that no server returns.
///
/// Only time in which they were looked for counts: a process that was stopped, or cut off, has not searched.
struct MissingRecords {
  private var searched = Duration.zero
  private var last: Instant?

  /// The longest time between two looks that counts as one search.
  private static let step = Duration.seconds(3)

  mutating func found() { self = MissingRecords() }

  /// Takes note of another look in vain.
  ///
  /// - Returns: The time spent searching.
  mutating func lookedInVain(at now: Instant) -> Duration {
    if let last { searched += min(now - last, Self.step) }
    last = now
    return searched
  }
}
