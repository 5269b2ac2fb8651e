import Base
import Glibc

/// The folders of a tree that cannot be watched: each fault is reported once, and watching is tried again.
struct FolderFaults {
  /// The delay before the first further attempt; it doubles up to the last one.
  static let retrial = Duration.seconds(10)
  private static let greatestRetrial = Duration.seconds(320)

  /// The faults of the present scan, by the paths of the folders.
  private var present: [ExactText: Errno] = [:]
  private var reported: Set<ExactText> = []
  private var delay = Self.retrial
  /// The time of the next attempt, if there is to be one.
  private(set) var nextTrial: MonotonicInstant?

  /// Notes the fault of a folder.
  ///
  /// - Returns: The report, if it has not been made yet.
  mutating func add(_ path: String, _ error: Errno) -> String? {
    present[ExactText(path)] = error
    let text = Self.text(error)
    return reported.insert(ExactText(text)).inserted ? text : nil
  }

  /// Forgets the faults of the scan before.
  mutating func beginScan() { present = [:] }

  /// Schedules another attempt if the scan has met faults.
  mutating func endScan(at now: MonotonicInstant) {
    reported.formIntersection(present.values.map { ExactText(Self.text($0)) })
    if present.isEmpty {
      delay = Self.retrial
    } else if nextTrial == nil {
      nextTrial = now + delay
      delay = min(delay * 2, Self.greatestRetrial)
    }
  }

  /// Schedules an attempt soon, unless there is to be one.
  mutating func trySoon(at now: MonotonicInstant) { nextTrial = nextTrial ?? now + Self.retrial }

  /// Returns true once the time of the next attempt has come.
  mutating func takeTrial(at now: MonotonicInstant) -> Bool {
    guard let nextTrial, nextTrial <= now else { return false }
    self.nextTrial = nil
    return true
  }

  private static func text(_ error: Errno) -> String {
    guard error.call == "inotify_add_watch" else { return "cannot read a folder: \(error)" }
    let reason = error.number == ENOSPC ? "no inotify watch left (fs.inotify.max_user_watches)" : error.reason
    return "cannot watch \(error.subject ?? ""): \(reason)"
  }
}
