import Linux

/// The work of a writer's thread, which alone touches what is in here.
///
/// Commits come first: they are written as soon as there are any. Everything else is done in portions, one after each
/// look into the queue: syncing what need not be synced at once, snapshots, deleting, moving the log.
final class WriterLoop: @unchecked Sendable {
  /// The time between two attempts while another program writes.
  private static let busyDelay = Duration.milliseconds(500)
  /// The time between two attempts to move a log that somebody reads.
  private static let readerDelay = Duration.seconds(1)

  private let journal: OpenJournal
  private let queue: Monitor<WriterQueue>
  private let progressed: @Sendable () -> Void

  private var limits: WriterLimits { journal.limits }
  private var progress: Progress
  /// The commits that could not be written yet.
  private var commits: [(commit: Commit, isSynced: Bool)] = []
  /// The snapshots that have not been begun.
  private var snapshots: [(snapshot: Snapshot, history: [HistoryBound])] = []
  private var draft: SnapshotDraft?
  /// When the oldest commit that is written and not synced must be.
  private var syncDue: MonotonicInstant?
  /// The snapshot whose predecessors are still to be deleted.
  private var pruning: UInt64?
  /// The past that the snapshot which was begun last leaves.
  private var history: [HistoryBound] = []
  /// Whether pages that are free may be given back.
  private var mayShrink = false
  /// When to look again whether those who read have let go of the log.
  private var checkpointDue = MonotonicInstant(nanoseconds: 0)
  /// The pages that they kept from being moved.
  private var keptPages = 0

  init(_ journal: OpenJournal, _ queue: Monitor<WriterQueue>, _ progressed: @escaping @Sendable () -> Void) {
    self.journal = journal
    self.queue = queue
    self.progressed = progressed
    progress = journal.progress
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

  /// When to get up although nobody called.
  private var deadline: MonotonicInstant? {
    if progress.isOver { return nil }
    if progress.failure?.kind == .busy { return .now() + Self.busyDelay }
    if progress.failure != nil { return syncDue }
    if draft != nil || !snapshots.isEmpty || pruning != nil || mayShrink { return .now() }
    guard journal.database.pagesInLog >= limits.leastLog else { return syncDue }
    return mayCheckpoint ? .now() : min(checkpointDue, syncDue ?? checkpointDue)
  }

  private func take(_ items: [WriterQueue.Item]) {
    for item in items {
      switch item {
      case .commit(let commit, let isSynced): commits.append((commit, isSynced))
      case .snapshot(let snapshot, let history): snapshots.append((snapshot, history))
      }
    }
  }

  /// Does all that must be done before the thread ends, or as much of it as the disk takes.
  private func end() {
    writeAgain()
    while progress.failure == nil, draft != nil || !snapshots.isEmpty { writePart() }
    if progress.failure == nil { attempt(sync) }
    if progress.failure == nil { attempt { () throws(SQLiteError) in try journal.checkpoint(progress) } }
    publish()
  }

  // MARK: Commits

  /// Writes what is there, after a failure too; without commits the next portion shows whether that is over, and nobody
  /// is told before.
  private func writeAgain() {
    if progress.isOver { return }
    if commits.isEmpty { progress.failure = nil } else { write() }
  }

  /// Whether a snapshot that is to be written stands for a commit before those that are there, which make no sense
  /// without it.
  private var isSnapshotAhead: Bool {
    guard let next = commits.first, let number = draft?.snapshot.number ?? snapshots.first?.snapshot.number else {
      return false
    }
    return number > progress.written && number < next.commit.number
  }

  /// Writes all commits that are there in one transaction.
  private func write() {
    while isSnapshotAhead {
      writePart()
      if progress.failure != nil { return }
    }
    let isWritten = attempt { () throws(SQLiteError) in
      try journal.upgrade()
      try journal.database.transaction { () throws(SQLiteError) in
        for (commit, _) in commits { try journal.insert(commit) }
      }
    }
    guard isWritten, isInPlace(), let last = commits.last else { return }
    progress.failure = nil
    progress.written = last.commit.number
    let mustSync = commits.contains { $0.isSynced }
    commits = []
    syncDue = syncDue ?? .now() + queue.withLock { $0.syncDelay }
    if mustSync { attempt(sync) }
    publish()
  }

  /// Brings to the disk what is written and is not there yet.
  private func sync() throws(SQLiteError) {
    guard syncDue != nil else { return }
    let start = MonotonicInstant.now()
    try journal.database.syncLog()
    progress.lastSyncDuration = .now() - start
    progress.synced = progress.written
    syncDue = nil
  }

  // MARK: In portions

  /// Does one portion of what can wait.
  private func workOff() {
    if progress.isOver { return }
    if progress.failure?.kind == .busy { writeAgain() }
    if let due = syncDue, due <= .now(), isInPlace() {
      attempt(sync)
      publish()
    }
    if progress.failure != nil { return }
    let pages = journal.database.pagesInLog
    if pages >= limits.fullLog, mayCheckpoint {
      checkpoint()
    } else if draft != nil || !snapshots.isEmpty {
      writePart()
    } else if let snapshot = pruning {
      attempt { () throws(SQLiteError) in
        if try journal.prune(before: snapshot, keeping: history) { return }
        pruning = nil
        mayShrink = true
      }
    } else if mayShrink {
      attempt { () throws(SQLiteError) in mayShrink = try journal.shrink() }
    } else if pages >= limits.leastLog, mayCheckpoint {
      checkpoint()
    }
  }

  /// Writes the next part of the snapshot that is being written, or the first one of the next.
  private func writePart() {
    attempt { () throws(SQLiteError) in
      if self.draft == nil {
        self.draft = try journal.draft(snapshots[0].snapshot)
        history = snapshots.removeFirst().history
      }
      guard var draft else { return }
      let isWhole = try journal.writePart(of: &draft)
      guard isInPlace() else { return }
      self.draft = isWhole ? nil : draft
      syncDue = syncDue ?? .now() + queue.withLock { $0.syncDelay }
      // Each by itself, so that no sync has more than one to bring to the disk.
      progress.written = isWhole ? max(progress.written, draft.snapshot.number) : progress.written
      try sync()
      if !isWhole { return }
      progress.snapshot = draft.snapshot.number
      pruning = draft.snapshot.number
    }
    publish()
  }

  /// Whether those who read may have let go of the log, or it has grown by as much as is moved at once.
  private var mayCheckpoint: Bool {
    checkpointDue <= .now() || journal.database.pagesInLog >= keptPages + limits.fullLog
  }

  private func checkpoint() {
    attempt { () throws(SQLiteError) in try journal.checkpoint(progress) }
    keptPages = journal.database.pagesInLog
    if keptPages > 0 { checkpointDue = .now() + Self.readerDelay }
  }

  /// Whether the files that it writes are still those of the folder; if not nothing more is written.
  private func isInPlace() -> Bool {
    guard let error = journal.displacement() else { return true }
    progress.failure = error
    journal.database.leaveLog()
    publish()
    return false
  }

  /// Does a piece of work, whose error becomes the failure that everybody sees.
  @discardableResult
  private func attempt(_ body: () throws(SQLiteError) -> Void) -> Bool {
    do throws(SQLiteError) {
      try body()
      return true
    } catch {
      progress.failure = journal.folder.error(error)
      // Pages that the kernel has lost must not be moved into the database when the connection ends.
      if progress.isOver { journal.database.leaveLog() }
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
