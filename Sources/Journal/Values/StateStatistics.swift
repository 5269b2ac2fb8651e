/// Statistics tell how much is in a folder.
package struct StateStatistics: Sendable, Equatable {
  /// A commit or a snapshot, by its number and its moment in microseconds since 1970.
  package struct Mark: Sendable, Equatable {
    package let number: UInt64
    package let time: Int64

    package init(number: UInt64, time: Int64) {
      self.number = number
      self.time = time
    }
  }

  /// The moment at which the folder was made, in microseconds since 1970.
  package let created: Int64
  /// The program that made it.
  package let program: String
  /// How many commits are in it; those that a snapshot includes are deleted after a while.
  package let commits: Int
  /// How many entries are in those.
  package let entries: Int
  package let firstCommit: Mark?
  package let lastCommit: Mark?
  package let newestSnapshot: Mark?
  /// The bytes of the newest snapshot.
  package let snapshotBytes: Int
  /// The bytes of its files on the disk.
  package let bytes: Int
  /// The process that has it open, if one has.
  package let owner: Int32?
}
