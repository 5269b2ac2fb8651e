/// The writer of one state log: takes commits and snapshots in order, and reports how far they are durable.
///
/// Both are written in the background, in the order of the calls. A failure that passes loses nothing: the rest is written
/// afterwards. After any other failure the writer writes nothing more.
package protocol StateLogWriting: AnyObject {
  /// The current progress.
  var progress: Progress { get }
  /// Enqueues a commit with the next number; returns at once.
  ///
  /// - Parameters:
  ///   - emitted: Encodes the events that the commit publishes, for a log that others follow.
  ///   - synced: True if its effects wait until it survives a power failure.
  func append(_ commit: Commit, emitted: () -> [UInt8], synced: Bool)
  /// Enqueues a snapshot; once it survives a power failure, the data that it replaces is deleted.
  ///
  /// - Parameters:
  ///   - emitted: Encodes the events that it publishes, for a log that others follow: those of a snapshot that stands in
  ///     the place of a commit, with a number of its own.
  ///   - history: Limits of the history to retain; the most generous one applies.
  func append(_ snapshot: Snapshot, emitted: () -> [UInt8], keeping history: [HistoryBound])
  /// Sets the maximum delay for commits that need not survive a power failure at once.
  func sync(within delay: Duration)
  /// Retries writes after a failure that passes.
  func retry()
  /// Waits until all commits up to a number are written or have failed.
  func wait(forCommit number: UInt64)
  /// Waits until everything is durable or has failed, and ends.
  func close()
}

extension StateLogWriter: StateLogWriting {
  /// Enqueues a commit without the events that it publishes, which a replay of the folder computes again.
  package func append(_ commit: Commit, emitted: () -> [UInt8], synced: Bool) { append(commit, synced: synced) }

  /// Enqueues a snapshot without the events that it publishes, which only the daemon of the folder needs.
  package func append(_ snapshot: Snapshot, emitted: () -> [UInt8], keeping history: [HistoryBound]) {
    append(snapshot, keeping: history)
  }
}
