/// The schedule of a log's snapshots: when the next one is due, and what the last one holds up.
struct SnapshotSchedule {
  /// The bounds of the retained history, which set the pace.
  var history: KeptHistory
  /// The number of bytes of entries since the last snapshot.
  private(set) var logged = 0
  /// The number of the last snapshot passed to the writer.
  private(set) var last: UInt64 = 0
  /// Its size.
  private var size = 0
  /// Its time, in microseconds since 1970.
  private var time: Int64 = 0
  /// The number of the last snapshot that must precede all further writes.
  private var barrier: UInt64 = 0

  init(_ history: KeptHistory) { self.history = history }

  /// Notes the entries of a commit.
  mutating func note(commit bytes: Int) { logged += bytes }

  /// Notes a snapshot that is passed to the writer.
  ///
  /// - Parameters:
  ///   - isBarrier: True if later commits mean nothing without it.
  mutating func note(snapshot number: UInt64, at time: Int64, isBarrier: Bool) {
    (last, self.time, logged) = (number, time, 0)
    if isBarrier { barrier = number }
  }

  /// Notes the size of the last snapshot.
  mutating func note(size: Int) { self.size = size }

  /// Returns true if a snapshot is due.
  ///
  /// - Parameters:
  ///   - microseconds: The present, since 1970.
  ///   - written: The number of the last snapshot on disk. While another one is being written, none is due: it would
  ///     queue behind that, with the whole state in memory.
  func isDue(at microseconds: Int64, written: UInt64?) -> Bool {
    let isLate = logged > history.bytes(after: size) || microseconds - time >= history.microseconds
    return isLate && last <= written ?? 0
  }

  /// Returns true while a snapshot is being written that must precede all further commits.
  func holdsUpCommits(written: UInt64?) -> Bool { barrier > written ?? 0 }
}
