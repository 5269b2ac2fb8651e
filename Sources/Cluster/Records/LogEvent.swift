package import StateLog

/// The meaning of a record at its place in the log.
package enum LogEvent: Equatable, Sendable {
  /// A term has begun; its number is the sequence of this record.
  case opened(OpenRecord)
  /// The owner has ended its term.
  case closed(CloseRecord)
  /// A commit is complete, with what it told.
  case committed(Commit, told: [UInt8])
  /// A snapshot has become the newest.
  case snapshotTaken(SnapshotMarker)
}
