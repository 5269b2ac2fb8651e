import Linux

/// Queues commits and snapshots for a thread that writes them.
///
/// Commits that arrive while the thread is busy share the next transaction.
package final class StateLogWriter: Sendable {
  private let queue: Monitor<WriterQueue>
  private let thread: Monitor<Thread?>

  init(
    _ folder: FolderPath, _ lock: FolderLock, _ limits: WriterLimits, epoch: String,
    progressed: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    let stateLog = try OpenStateLog(folder, lock, limits, epoch: epoch)
    let queue = Monitor(WriterQueue(Progress(stateLog.reach), limits))
    let loop = WriterLoop(stateLog, queue, progressed)
    self.queue = queue
    do throws(Errno) {
      thread = Monitor(try Thread("state-log") { loop.run() })
    } catch {
      throw folder.failed(error)
    }
  }

  deinit {
    close()
  }

  /// Enqueues a commit with the next number; returns at once.
  ///
  /// - Parameter synced: True to sync right after writing, false to sync within a delay.
  package func append(_ commit: Commit, synced: Bool) {
    queue.withLock { $0.append(commit, synced: synced) }
    queue.ring()
  }

  /// Enqueues a snapshot, which is always synced; then deletes the data that it replaces, in portions.
  ///
  /// - Parameter history: Limits of the history to retain; the most generous one applies.
  package func append(_ snapshot: Snapshot, keeping history: [HistoryBound] = []) {
    queue.withLock { $0.append(snapshot, keeping: history) }
    queue.ring()
  }

  /// Sets the maximum delay for syncing commits that need no immediate sync.
  package func sync(within delay: Duration) { queue.withLock { $0.syncDelay = delay } }

  /// The current progress.
  package var progress: Progress { queue.withLock { $0.progress } }

  /// Retries writes after a full disk; other failures persist.
  package func retry() {
    queue.withLock { $0.mayRetry = true }
    queue.ring()
  }

  /// Waits until all commits up to a number are written or have failed.
  package func wait(forCommit number: UInt64) {
    _ = queue.wait(until: nil) { queue -> Bool? in
      queue.progress.failure != nil || queue.progress.written >= number ? true : nil
    }
  }

  /// Waits until everything is written and synced or has failed, and ends the thread.
  package func close() {
    queue.withLock { $0.isClosed = true }
    queue.ring()
    let thread = thread.withLock { $0.take() }
    thread?.join()
  }
}
