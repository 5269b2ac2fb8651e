/// Progress is how far a writer has come.
package struct Progress: Sendable, Equatable {
  /// The number of the last commit that outlives the process.
  package internal(set) var written: UInt64
  /// The number of the last commit that outlives a power cut.
  package internal(set) var synced: UInt64
  /// The number of the last snapshot that outlives a power cut.
  package internal(set) var snapshot: UInt64?
  /// The reason why nothing is written now.
  package internal(set) var failure: StorageError?
  /// The time that the disk took for the last sync.
  package internal(set) var lastSyncDuration: Duration?
}
