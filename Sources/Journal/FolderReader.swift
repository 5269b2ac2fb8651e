import Glibc
import Linux

/// A reader looks into the folder of a daemon, which may be running, and changes nothing there.
///
/// It needs the rights of the daemon's user, since SQLite keeps account of those who read.
package final class FolderReader {
  /// The name that the folder was given when it was made.
  package let epoch: String

  private let folder: FolderPath
  private let contents: Contents

  package init(_ path: String) throws(StorageError) {
    folder = FolderPath(path: path)
    var status = stat()
    if stat(folder.database, &status) == -1 {
      if errno != ENOENT && errno != ENOTDIR { throw folder.failed(.last("stat", folder.database)) }
      if stat(folder.log, &status) == 0 { throw folder.lost("is missing, but its write-ahead log is there") }
      throw StorageError(.missing, "\(path) holds no state of durable graphs: there is no \(folder.database)")
    }
    contents = try Contents(folder, .read)
    epoch = try Meta(of: contents.database, in: folder).epoch
  }

  /// Reads several things as they are at one moment, whatever the daemon writes and deletes meanwhile.
  ///
  /// Until it is done the daemon's log grows.
  package func atOneMoment<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
    try contents.atOneMoment(body)
  }

  /// The newest snapshot; `nil` if none was written yet.
  package func newestSnapshot() throws(StorageError) -> Snapshot? { try contents.newestSnapshot() }

  /// The snapshot of a number; `nil` if it is not there, or not there any more.
  package func snapshot(_ number: UInt64) throws(StorageError) -> Snapshot? { try contents.snapshot(numbered: number) }

  /// Checks that the pages of the database are whole.
  package func checkPages() throws(StorageError) { try contents.checkPages() }

  /// The number of the last commit that is there, or was.
  package func lastNumber() throws(StorageError) -> UInt64 {
    let noted = try Meta(of: contents.database, in: folder).lastCommit
    return max(noted, try folder.translating { () throws(SQLiteError) in try contents.lastNumber() })
  }

  /// The number of values in the commits after a number, sound or not.
  package func values(after number: UInt64) throws(StorageError) -> Int {
    try folder.translating { () throws(SQLiteError) in
      Int(try contents.database.number("SELECT sum(count) FROM commits WHERE number > \(number)") ?? 0)
    }
  }

  /// The numbers and times of all snapshots, oldest first; whether they are sound shows when they are read.
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

  /// Whether a commit is there, sound or not; where only a snapshot has its number, the graphs were started or reloaded.
  package func hasCommit(_ number: UInt64) throws(StorageError) -> Bool {
    try folder.translating { () throws(SQLiteError) in
      try contents.database.number("SELECT number FROM commits WHERE number = \(number)") != nil
    }
  }

  /// Commits after a number, oldest first, each checked, without gaps.
  ///
  /// - Parameter last: the last one that is wanted.
  package func forEachCommit(
    after number: UInt64, upTo last: UInt64 = UInt64(Int64.max), _ body: (Commit) throws(StorageError) -> Void
  ) throws(StorageError) {
    try contents.forEachCommit(after: number, upTo: last, body)
  }

  /// The amounts of everything, without reading what is in commits and snapshots.
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
