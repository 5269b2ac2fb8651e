import Linux

/// A writer takes what is to be written, and a thread of its own writes it.
///
/// Commits that come while the thread is busy go together into the next transaction.
package final class JournalWriter: Sendable {
  private let queue: Monitor<WriterQueue>
  private let thread: Monitor<Thread?>

  init(
    _ folder: FolderPath, _ lock: FolderLock, _ limits: WriterLimits, progressed: @escaping @Sendable () -> Void
  ) throws(StorageError) {
    let journal = try OpenJournal(folder, lock, limits)
    let queue = Monitor(WriterQueue(journal.progress, limits))
    let loop = WriterLoop(journal, queue, progressed)
    self.queue = queue
    do throws(Errno) {
      thread = Monitor(try Thread("journal") { loop.run() })
    } catch {
      throw folder.failed(error)
    }
  }

  deinit {
    close()
  }

  /// Adds a commit, whose number follows that of the one before; returns at once.
  ///
  /// - Parameter synced: whether it is synced as soon as it is written, or within a second.
  package func append(_ commit: Commit, synced: Bool) {
    queue.withLock { $0.append(commit, synced: synced) }
    queue.ring()
  }

  /// Adds a snapshot, which is always synced; then what it replaces is deleted, portion by portion.
  ///
  /// - Parameter history: bounds of the past that is kept nevertheless, as far as the most generous of them says.
  package func append(_ snapshot: Snapshot, keeping history: [HistoryBound] = []) {
    queue.withLock { $0.append(snapshot, keeping: history) }
    queue.ring()
  }

  /// Has commits that need not be synced at once synced within a time.
  package func sync(within delay: Duration) { queue.withLock { $0.syncDelay = delay } }

  /// How far it has come.
  package var progress: Progress { queue.withLock { $0.progress } }

  /// Tries again what the full disk had no room for; a failure that is none of room stays.
  package func retry() {
    queue.withLock { $0.mayRetry = true }
    queue.ring()
  }

  /// Waits until a commit and all that came before are written, or cannot be.
  package func wait(forCommit number: UInt64) {
    _ = queue.wait(until: nil) { queue -> Bool? in
      queue.progress.failure != nil || queue.progress.written >= number ? true : nil
    }
  }

  /// Waits until all is written and synced, or cannot be, and ends the thread.
  package func close() {
    queue.withLock { $0.isClosed = true }
    queue.ring()
    let thread = thread.withLock { $0.take() }
    thread?.join()
  }
}
