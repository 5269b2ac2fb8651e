import Glibc
import Linux

/// A read-only view of a daemon's folder, also while the daemon is running.
///
/// It requires the rights of the daemon's user, since SQLite registers its readers.
package final class FolderReader {
  /// The epoch, assigned when the folder was created.
  package let epoch: String

  private let folder: FolderPath
  private let contents: Contents

  /// - Parameter isAlone: True for a single database file, as `state export` prints it.
  package convenience init(_ path: String, isAlone: Bool = false) throws(StorageError) {
    try self.init(FolderPath(path: path), isAlone: isAlone)
  }

  init(_ folder: FolderPath, isAlone: Bool = false) throws(StorageError) {
    self.folder = folder
    guard try folder.hasDatabase() else {
      throw StorageError(.missing, "\(folder.path) holds no state of durable graphs: no \(folder.database)")
    }
    var contents = try Contents(folder, .read)
    contents.isAlone = isAlone
    self.contents = contents
    epoch = try Meta(of: contents.database, in: folder).epoch
  }

  /// True if the folder is a copy of another one or was restored from one.
  package var isCopy: Bool { contents.mark.isCopy }

  /// True if the end of the log is unknown, so that values there may be lost.
  package var isEndUnknown: Bool {
    do throws(StorageError) { try contents.checkMark() } catch { return true }
    return false
  }

  /// Reads in one transaction, isolated from concurrent writes and deletions of the daemon.
  ///
  /// The daemon's write-ahead log grows until it ends.
  package func atOneMoment<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    try contents.atOneMoment(body)
  }

  /// Returns the newest snapshot; `nil` if there is none yet.
  package func newestSnapshot() throws(StorageError) -> Snapshot? { try contents.newestSnapshot() }

  /// Returns the snapshot with a number; `nil` if it does not exist or was deleted.
  package func snapshot(_ number: UInt64) throws(StorageError) -> Snapshot? { try contents.snapshot(numbered: number) }

  /// Checks the integrity of the database's pages.
  package func checkPages() throws(StorageError) { try contents.checkPages() }

  /// Returns the number of the last commit, including one that is missing.
  package func lastNumber() throws(StorageError) -> UInt64 {
    let noted = try Meta(of: contents.database, in: folder).lastCommit
    let last = try folder.translating { () throws(SQLiteError) in try contents.lastNumber() }
    return max(noted, contents.floor.number, last)
  }

  /// Returns the number of the last commit as far as it can be read, at least that of the mark.
  package func lastKnownNumber() -> UInt64 { max((try? lastNumber()) ?? 0, contents.floor.number) }

  /// Returns the number of values in the commits after a number, valid or not; `nil` if some are missing.
  package func values(after number: UInt64) throws(StorageError) -> Int? {
    let last = try folder.translating { () throws(SQLiteError) in try contents.lastNumber() }
    if try last < lastNumber() { return nil }
    return try folder.translating { () throws(SQLiteError) in
      Int(try contents.database.number("SELECT sum(count) FROM commits WHERE number > \(number)") ?? 0)
    }
  }

  /// Returns the numbers and times of all snapshots, oldest first; they are validated only when they are read.
  package func snapshots() throws(StorageError) -> [StateStatistics.Mark] {
    try folder.translating { () throws(SQLiteError) in
      let row = try contents.database.prepare("SELECT number, time FROM snapshots ORDER BY number")
      var marks: [StateStatistics.Mark] = []
      while try row.step() {
        if let number = row.unsigned(0), let time = row.integer(1) {
          marks.append(StateStatistics.Mark(number: number, time: time))
        }
      }
      return marks
    }
  }

  /// Checks for a commit, valid or not; a number with only a snapshot belongs to a start or a reload of the graphs.
  package func hasCommit(_ number: UInt64) throws(StorageError) -> Bool {
    try folder.translating { () throws(SQLiteError) in
      try contents.database.number("SELECT number FROM commits WHERE number = \(number)") != nil
    }
  }

  /// Reads and validates the commits after a number, oldest first, without gaps.
  ///
  /// - Parameter last: The last one to read.
  package func forEachCommit(
    after number: UInt64, upTo last: UInt64 = UInt64(Int64.max), _ body: (Commit) throws(StorageError) -> Void
  ) throws(StorageError) {
    try contents.forEachCommit(after: number, upTo: last, body)
  }

  /// Returns the sizes and counts in the folder without reading commits and snapshots.
  package func statistics() throws(StorageError) -> StateStatistics {
    let bytes = [folder.database, folder.log].reduce(0) { sum, path in
      var status = stat()
      return stat(path, &status) == 0 ? sum + Int(status.st_size) : sum
    }
    let owner = FolderLock.owner(of: folder)
    return try atOneMoment { () throws(StorageError) in
      let meta = try Meta(of: contents.database, in: folder)
      return try folder.translating { () throws(SQLiteError) in
        try contents.statistics(meta, bytes: bytes, owner: owner)
      }
    }
  }
}

extension FolderReader: RecordedState {
  package func forEachCommit(
    after number: UInt64, _ body: (Commit) throws(StorageError) -> Void
  ) throws(StorageError) {
    try forEachCommit(after: number, upTo: UInt64(Int64.max), body)
  }
}

extension Contents {
  fileprivate func statistics(_ meta: Meta, bytes: Int, owner: Int32?) throws(SQLiteError) -> StateStatistics {
    let sums = try database.prepare("SELECT count(*), sum(count) FROM commits")
    _ = try sums.step()
    let parts = try database.prepare(
      """
      SELECT sum(length(state)) FROM parts,
        (SELECT first_part AS first, parts AS count FROM snapshots ORDER BY number DESC LIMIT 1)
      WHERE number >= first AND number < first + count
      """)
    _ = try parts.step()
    return StateStatistics(
      created: meta.created, program: meta.writtenBy, commits: Int(sums.integer(0) ?? 0),
      entries: Int(sums.integer(1) ?? 0), firstCommit: try mark("commits", "min"),
      lastCommit: try mark("commits", "max"), newestSnapshot: try mark("snapshots", "max"),
      snapshotBytes: Int(parts.integer(0) ?? 0), bytes: bytes, owner: owner)
  }

  private func mark(_ table: String, _ choice: String) throws(SQLiteError) -> StateStatistics.Mark? {
    let row = try database.prepare(
      "SELECT number, time FROM \(table) WHERE number = (SELECT \(choice)(number) FROM \(table))")
    guard try row.step(), let number = row.unsigned(0), let time = row.integer(1) else { return nil }
    return StateStatistics.Mark(number: number, time: time)
  }
}
