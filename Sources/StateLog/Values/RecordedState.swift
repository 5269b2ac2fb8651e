/// The contents of a state log: the source of a recovery.
package protocol RecordedState {
  /// Returns the newest snapshot, where recovery starts; `nil` if there is none yet.
  func newestSnapshot() throws(StorageError) -> Snapshot?
  /// Reads the commits after a number, oldest first, without gaps.
  func forEachCommit(after number: UInt64, _ body: (Commit) throws(StorageError) -> Void) throws(StorageError)
}
