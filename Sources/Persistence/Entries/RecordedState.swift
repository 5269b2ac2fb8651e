import StateLog

/// A source for recovery of durable graphs: the folder of a daemon, or a read-only view of one.
protocol RecordedState {
  func newestSnapshot() throws(StorageError) -> Snapshot?
  func forEachCommit(after number: UInt64, _ body: (Commit) throws(StorageError) -> Void) throws(StorageError)
}

extension StateFolder: RecordedState {}

extension FolderReader: RecordedState {
  func forEachCommit(after number: UInt64, _ body: (Commit) throws(StorageError) -> Void) throws(StorageError) {
    try forEachCommit(after: number, upTo: UInt64(Int64.max), body)
  }
}
