/// The progress of a writer.
package struct Progress: Sendable, Equatable {
  /// The number of the last commit that survives the end of the process.
  package internal(set) var written: UInt64
  /// The number of the last commit that survives a power failure.
  package internal(set) var synced: UInt64
  /// The number of the last snapshot that survives a power failure.
  package internal(set) var snapshot: UInt64?
  /// The reason for suspended writes.
  package internal(set) var failure: StorageError?
  /// The duration of the last sync.
  package internal(set) var lastSyncDuration: Duration?

  init(_ reach: LogMark.Reach) {
    (written, synced, snapshot) = (reach.written.number, reach.synced.number, reach.snapshot)
  }
}
