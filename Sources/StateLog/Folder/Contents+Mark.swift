import Linux

// Checks against the mark, which records the end of the log outside the database.

extension Contents {
  /// The last commit that must exist, or the snapshot in its place.
  var floor: LogMark.Place { mark.mark?.floor(on: folder.boot) ?? LogMark.Place() }

  /// Checks that the end of the log is known.
  func checkMark() throws(StorageError) {
    switch mark {
    case .found: return
    case .damaged: throw folder.endless("is damaged")
    case .missing:
      let isRequired = try folder.translating { () throws(SQLiteError) in try database.requiresMark() }
      if isRequired, !isAlone { throw folder.endless("is missing") }
    }
  }

  /// Compares a commit, or a snapshot in its place, with the mark.
  func check(_ place: LogMark.Place) throws(StorageError) {
    let floor = floor
    if floor.number > 0, place.number == floor.number, place.hash != floor.hash {
      throw folder.damaged(
        "is damaged: \(place.name) is not the last one written, \(floor.name)")
    }
  }

  /// Checks that everything up to the mark exists, before anything is appended.
  func checkReach() throws(StorageError) {
    try checkMark()
    let last = try folder.translating { () throws(SQLiteError) in try lastPlace() }
    if floor.number > last.number {
      throw folder.damaged("is damaged: commit \(last.number + 1) is missing\(reach(beyond: last.number))")
    }
    try check(last)
  }

  /// Returns a message about the data recorded after a commit.
  func reach(beyond number: UInt64) -> String {
    floor.number > number ? "; the last one written was \(floor.name)" : ""
  }

  /// Returns the last commit, or the snapshot in its place.
  func lastPlace() throws(SQLiteError) -> LogMark.Place {
    let row = try database.prepare(
      """
      SELECT number, hash, time FROM (SELECT number, hash, time FROM commits UNION ALL
        SELECT number, hash, time FROM snapshots) ORDER BY number DESC LIMIT 1
      """)
    guard try row.step(), let number = row.unsigned(0), let hash = row.unsigned(1), let time = row.integer(2) else {
      return LogMark.Place()
    }
    return LogMark.Place(number: number, hash: hash, time: time)
  }
}

extension LogMark.Place {
  /// The name in messages.
  var name: String { "commit \(number) of \(WallTime(microseconds: time).text)" }
}

extension FolderPath {
  /// Returns the error for an unusable mark; the sentence continues after its path.
  fileprivate func endless(_ sentence: String) -> StorageError {
    damaged("\(mark) \(sentence): cannot verify that the last commits are present", isRepairable: true)
  }
}
