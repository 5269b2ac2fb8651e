/// Sizes and counts of a folder's contents.
package struct StateStatistics: Sendable, Equatable {
  /// The number and time (microseconds since 1970) of a commit or a snapshot.
  package struct Mark: Sendable, Equatable {
    package let number: UInt64
    package let time: Int64

    package init(number: UInt64, time: Int64) {
      self.number = number
      self.time = time
    }
  }

  /// The creation time of the folder, in microseconds since 1970.
  package let created: Int64
  /// The program that created it.
  package let program: String
  /// The number of stored commits; those included in a snapshot are deleted later.
  package let commits: Int
  /// The number of entries in those.
  package let entries: Int
  package let firstCommit: Mark?
  package let lastCommit: Mark?
  package let newestSnapshot: Mark?
  /// The size of the newest snapshot in bytes.
  package let snapshotBytes: Int
  /// The size of its files in bytes.
  package let bytes: Int
  /// The process that has it open, if any.
  package let owner: Int32?
}
