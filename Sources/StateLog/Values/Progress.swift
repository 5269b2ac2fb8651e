/// The progress of a writer.
package struct Progress: Sendable, Equatable {
  /// The number of the last commit that survives the end of the process.
  package var written: UInt64
  /// The number of the last commit that survives a power failure.
  package var synced: UInt64
  /// The number of the last snapshot that survives a power failure.
  package var snapshot: UInt64?
  /// The reason for suspended writes.
  package var failure: StorageError?
  /// The duration of the last sync.
  package internal(set) var lastSyncDuration: Duration?

  /// - Parameter commit: The number of the last commit, which survives a power failure.
  package init(upTo commit: UInt64, snapshot: UInt64?) {
    (written, synced, self.snapshot) = (commit, commit, snapshot)
  }

  init(_ reach: LogMark.Reach) {
    (written, synced, snapshot) = (reach.written.number, reach.synced.number, reach.snapshot)
  }
}

extension Progress {
  /// True if writing has stopped for good.
  package var isOver: Bool { failure.map { !$0.isPassing } ?? false }
}
