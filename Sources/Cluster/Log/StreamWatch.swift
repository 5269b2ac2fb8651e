package import Signals

/// The watch over the stream of a log: whether the servers still have the one that this node has read or written, with
/// everything that it knows of.
///
/// The reader of a stream that is gone hears nothing, as if nothing were written, and an append to it has no answer, as if
/// the servers were away.
package struct StreamWatch {
  package enum Finding: Equatable, Sendable {
    /// The servers have had no stream of that name for some time.
    case gone
    /// There is a stream of that name that was created at another time.
    case replaced(created: String)
    /// Its last record has been before what this node knows for too long.
    case short(last: UInt64)
  }

  /// The creation of the stream that is watched; `nil` before the servers have told it.
  package private(set) var created: String?
  /// The last sequence that this process has read, written or heard of.
  package private(set) var known: UInt64 = 0
  /// True once the stream was found to be gone.
  package private(set) var isGone = false
  private let limits: StreamLogLimits
  private var absence = MissingRecords()
  private var shortness = MissingRecords()
  private var isInDoubt = false

  /// The time after which a stream that is said to be missing counts as gone.
  private static let patience = Duration.seconds(5)

  package init(_ limits: StreamLogLimits = StreamLogLimits()) { self.limits = limits }

  /// The time until the next look.
  package var pause: Duration { isInDoubt ? .seconds(1) : .seconds(3) }

  /// Takes note that the log reaches up to a sequence.
  package mutating func reach(_ sequence: UInt64) { known = max(known, sequence) }

  /// Takes the creation of a stream as that of the one to watch.
  package mutating func accept(created: String) { self.created = created }

  /// Watches the stream as it was repaired, which may have left records out.
  package mutating func beginAnew() {
    let created = created
    self = StreamWatch(limits)
    self.created = created
  }

  /// Takes an answer.
  ///
  /// - Parameter known: The last sequence that this node knew when it asked.
  package mutating func take(_ report: StreamReport, known: UInt64, at now: Instant) -> Finding? {
    switch report {
    case .missing:
      isInDoubt = true
      guard absence.lookedInVain(at: now) >= Self.patience else { return nil }
      isGone = true
      return .gone
    case .stream(let created, let last):
      absence.found()
      self.created = self.created ?? created
      isInDoubt = self.created != created || last < known
      if self.created != created { return .replaced(created: created) }
      if last >= known { shortness.found() }
      return last < known && shortness.lookedInVain(at: now) >= limits.patience ? .short(last: last) : nil
    }
  }

  /// Returns true if a stream is the one that was found to be gone, with everything that was known of it.
  package func isBack(_ report: StreamReport) -> Bool {
    guard isGone, case .stream(let created, let last) = report else { return false }
    return created == self.created && last >= known
  }

  /// Returns true if a report is of another stream than the one that is watched.
  package func isOther(_ report: StreamReport) -> Bool {
    guard let watched = created, case .stream(let created, _) = report else { return report == .missing }
    return created != watched
  }
}
