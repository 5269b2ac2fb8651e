import Linux

/// The loop of a writer's thread, which alone accesses this object.
///
/// Commits have priority: they are written as soon as there are any. Everything else is done in portions, one between
/// checks of the queue: delayed syncs, snapshots, deletions, checkpoints.
final class WriterLoop: @unchecked Sendable {
  /// The delay between two attempts while another program writes.
  private static let busyDelay = Duration.milliseconds(500)
  /// The delay between two attempts to checkpoint a log in use by a reader.
  private static let readerDelay = Duration.seconds(1)

  private let stateLog: OpenStateLog
  private let queue: Monitor<WriterQueue>
  private let progressed: @Sendable () -> Void

  private var limits: WriterLimits { stateLog.limits }
  private var progress: Progress
  /// The end of the log; progress beyond the mark is not reported yet.
  private var reach: LogMark.Reach
  private var marked: LogMark.Reach
  /// The due time for syncing the oldest unsynced mark.
  private var markDue: MonotonicInstant?
  /// The commits not yet written.
  private var commits: [(commit: Commit, isSynced: Bool)] = []
  /// The snapshots not yet begun.
  private var snapshots: [(snapshot: Snapshot, history: [HistoryBound])] = []
  private var draft: SnapshotDraft?
  /// The due time for syncing the oldest unsynced commit.
  private var syncDue: MonotonicInstant?
  /// The snapshot whose predecessors are still to be deleted.
  private var pruning: UInt64?
  /// The history retained by the current snapshot.
  private var history: [HistoryBound] = []
  /// True if free pages may be returned.
  private var mayShrink = false
  /// The time of the next attempt to checkpoint after a reader prevented it.
  private var checkpointDue = MonotonicInstant(nanoseconds: 0)
  /// The number of pages that readers kept in the log.
  private var keptPages = 0

  init(_ stateLog: OpenStateLog, _ queue: Monitor<WriterQueue>, _ progressed: @escaping @Sendable () -> Void) {
    self.stateLog = stateLog
    self.queue = queue
    self.progressed = progressed
    (reach, marked) = (stateLog.reach, stateLog.reach)
    progress = Progress(stateLog.reach)
  }

  func run() {
    while true {
      let wasStuck = progress.failure != nil
      switch queue.wait(until: deadline, for: { $0.call() }) {
      case .write(let items)?:
        take(items)
        writeAgain()
      case .end(let items)?:
        take(items)
        return end()
      case nil: break
      }
      workOff()
      if wasStuck, progress.failure == nil { publish() }
    }
  }

  /// The time of the next wakeup without a request.
  private var deadline: MonotonicInstant? {
    if progress.isOver { return nil }
    if progress.failure?.kind == .busy { return .now() + Self.busyDelay }
    if progress.failure != nil { return earliestSync }
    if draft != nil || !snapshots.isEmpty || pruning != nil || mayShrink { return .now() }
    guard stateLog.database.pagesInLog >= limits.leastLog else { return earliestSync }
    return mayCheckpoint ? .now() : min(checkpointDue, earliestSync ?? checkpointDue)
  }

  private var earliestSync: MonotonicInstant? { [syncDue, markDue].compactMap { $0 }.min() }

  private func take(_ items: [WriterQueue.Item]) {
    for item in items {
      switch item {
      case .commit(let commit, let isSynced): commits.append((commit, isSynced))
      case .snapshot(let snapshot, let history): snapshots.append((snapshot, history))
      }
    }
  }

  /// Completes all pending work before the thread ends, as far as the disk permits.
  private func end() {
    writeAgain()
    while progress.failure == nil, draft != nil || !snapshots.isEmpty { writePart() }
    if progress.failure == nil { attempt(sync) }
    mark()
    if progress.failure == nil { attempt(syncMark) }
    if progress.failure == nil { attempt { () throws(SQLiteError) in try stateLog.checkpoint(reach) } }
    publish()
  }

  // MARK: Commits

  /// Writes pending commits, also after a failure; without any, the next portion shows if the failure persists, and
  /// nothing is reported before.
  private func writeAgain() {
    if progress.isOver { return }
    if !commits.isEmpty { return write() }
    progress.failure = nil
    mark()
  }

  /// True if a pending snapshot precedes the pending commits, which depend on it.
  private var isSnapshotAhead: Bool {
    guard let next = commits.first, let number = draft?.snapshot.number ?? snapshots.first?.snapshot.number else {
      return false
    }
    return number > reach.written.number && number < next.commit.number
  }

  /// Writes all pending commits in one transaction.
  private func write() {
    while isSnapshotAhead {
      writePart()
      if progress.failure != nil { return }
    }
    let isWritten = attempt { () throws(SQLiteError) in
      try stateLog.upgrade()
      try stateLog.database.transaction { () throws(SQLiteError) in
        for (commit, _) in commits { try stateLog.insert(commit) }
      }
    }
    guard isWritten, isInPlace(), let last = commits.last else { return }
    progress.failure = nil
    reach.written = LogMark.Place(last.commit)
    let mustSync = commits.contains { $0.isSynced }
    commits = []
    syncDue = syncDue ?? .now() + queue.withLock { $0.syncDelay }
    if mustSync { attempt(sync) }
    mark()
    publish()
  }

  /// Syncs written data.
  private func sync() throws(SQLiteError) {
    guard syncDue != nil else { return }
    let start = MonotonicInstant.now()
    try stateLog.database.syncLog()
    progress.lastSyncDuration = .now() - start
    reach.synced = reach.written
    syncDue = nil
  }

  /// Records the end of the log in the mark, and then reports it.
  private func mark() {
    if progress.failure != nil || reach == marked { return }
    attempt { () throws(SQLiteError) in
      try stateLog.mark(reach)
      markDue = markDue ?? .now() + limits.markDelay
      marked = reach
      (progress.written, progress.synced) = (reach.written.number, reach.synced.number)
      progress.snapshot = reach.snapshot
    }
  }

  private func syncMark() throws(SQLiteError) {
    if markDue == nil { return }
    markDue = nil
    try stateLog.syncMark()
  }

  // MARK: Portions

  /// Performs one portion of low-priority work.
  private func workOff() {
    if progress.isOver { return }
    if progress.failure?.kind == .busy { writeAgain() }
    if let due = syncDue, due <= .now(), isInPlace() {
      attempt(sync)
      mark()
      publish()
    }
    if let due = markDue, due <= .now(), !progress.isOver { attempt(syncMark) }
    if progress.failure != nil { return }
    let pages = stateLog.database.pagesInLog
    if pages >= limits.fullLog, mayCheckpoint {
      checkpoint()
    } else if draft != nil || !snapshots.isEmpty {
      writePart()
    } else if let snapshot = pruning {
      attempt { () throws(SQLiteError) in
        if try stateLog.prune(before: snapshot, keeping: history) { return }
        pruning = nil
        mayShrink = true
      }
    } else if mayShrink {
      attempt { () throws(SQLiteError) in mayShrink = try stateLog.shrink() }
    } else if pages >= limits.leastLog, mayCheckpoint {
      checkpoint()
    }
  }

  /// Writes the next part of the current snapshot, or the first part of the next one.
  private func writePart() {
    attempt { () throws(SQLiteError) in
      if self.draft == nil {
        self.draft = try stateLog.draft(snapshots[0].snapshot)
        history = snapshots.removeFirst().history
      }
      guard var draft else { return }
      let isWhole = try stateLog.writePart(of: &draft)
      guard isInPlace() else { return }
      self.draft = isWhole ? nil : draft
      syncDue = syncDue ?? .now() + queue.withLock { $0.syncDelay }
      // Each part is synced separately, so that no sync covers more than one.
      if isWhole, draft.snapshot.number > reach.written.number { reach.written = LogMark.Place(draft.snapshot) }
      try sync()
      if !isWhole { return }
      reach.snapshot = draft.snapshot.number
      pruning = draft.snapshot.number
    }
    mark()
    publish()
  }

  /// True if readers may have released the log, or if it has grown by a full checkpoint since.
  private var mayCheckpoint: Bool {
    checkpointDue <= .now() || stateLog.database.pagesInLog >= keptPages + limits.fullLog
  }

  private func checkpoint() {
    attempt { () throws(SQLiteError) in try stateLog.checkpoint(reach) }
    keptPages = stateLog.database.pagesInLog
    if keptPages > 0 { checkpointDue = .now() + Self.readerDelay }
  }

  /// Checks that the open files are still those of the folder; stops writing otherwise.
  private func isInPlace() -> Bool {
    guard let error = stateLog.displacement() else { return true }
    progress.failure = error
    stateLog.database.leaveLog()
    publish()
    return false
  }

  /// Runs an operation and publishes its error as the failure.
  @discardableResult
  private func attempt(_ body: () throws(SQLiteError) -> Void) -> Bool {
    do throws(SQLiteError) {
      try body()
      return true
    } catch {
      progress.failure = stateLog.folder.error(error)
      // Pages that the kernel has lost must not be moved into the database on close.
      if progress.isOver { stateLog.database.leaveLog() }
      publish()
      return false
    }
  }

  private func publish() {
    queue.withLock { $0.progress = progress }
    queue.ring()
    progressed()
  }
}
