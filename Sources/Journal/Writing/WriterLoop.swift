import Linux

/// The work of a writer's thread, which alone touches what is in here.
final class WriterLoop: @unchecked Sendable {
  private typealias Item = WriterQueue.Item

  /// The longest time for which a commit that need not be synced at once is not.
  private static let syncDelay = Duration.seconds(1)
  /// The pages in the log that are moved at once, and those that are moved when nothing else is to be done.
  private static let (fullLog, idleLog): (Int, Int) = (1000, 250)
  /// The time between two attempts while another program writes.
  private static let readerDelay = Duration.seconds(1)
  private static let busyDelay = Duration.milliseconds(500)

  private let journal: OpenJournal
  private let queue: Monitor<WriterQueue>
  private let progressed: @Sendable () -> Void

  private var progress: Progress
  /// What could not be written yet.
  private var held: [Item] = []
  /// When the oldest commit that is written and not synced must be.
  private var syncDue: MonotonicInstant?
  /// The snapshot whose predecessors are still to be deleted.
  private var pruned: UInt64?
  /// When to look again whether those who read have let go of the log.
  private var checkpointDue = MonotonicInstant(nanoseconds: 0)

  init(_ journal: OpenJournal, _ queue: Monitor<WriterQueue>, _ progressed: @escaping @Sendable () -> Void) {
    self.journal = journal
    self.queue = queue
    self.progressed = progressed
    progress = journal.progress
    // What an earlier process did not come to.
    pruned = progress.snapshot
  }

  func run() {
    while true {
      switch queue.wait(until: deadline, for: { $0.call() }) {
      case .write(let items)?:
        held += items
        writeAgain()
      case .end(let items)?:
        held += items
        return end()
      case nil: break
      }
      tidy()
    }
  }

  /// When to get up although nobody called.
  private var deadline: MonotonicInstant? {
    if progress.isOver { return nil }
    if progress.failure?.kind == .busy { return .now() + Self.busyDelay }
    if progress.failure != nil { return syncDue }
    if pruned != nil { return .now() }
    guard journal.database.pagesInLog >= Self.idleLog else { return syncDue }
    return min(checkpointDue, syncDue ?? checkpointDue)
  }

  private func end() {
    write()
    if progress.failure == nil { attempt { () throws(SQLiteError) in try sync() } }
    if progress.failure == nil { attempt { () throws(SQLiteError) in try journal.checkpoint(progress) } }
    publish()
  }

  // MARK: Writing

  /// Writes what is held, after a failure too; without any, the next attempt at what can wait shows whether it is over.
  private func writeAgain() {
    if progress.isOver { return }
    if held.isEmpty {
      progress.failure = nil
      publish()
    }
    write()
  }

  /// Writes all that is held in one transaction.
  private func write() {
    if progress.isOver || held.isEmpty { return }
    var after = progress
    var isSynced = false
    let isWritten = attempt { () throws(SQLiteError) in
      try journal.database.transaction { () throws(SQLiteError) in
        for item in held {
          switch item {
          case .commit(let commit, let synced):
            try journal.insert(commit)
            after.written = commit.number
            if synced { isSynced = true }
          case .snapshot(let snapshot):
            try journal.insert(snapshot)
            after.written = max(after.written, snapshot.number)
            after.snapshot = max(after.snapshot ?? 0, snapshot.number)
            isSynced = true
          }
        }
      }
    }
    if !isWritten { return }
    held = []
    progress.failure = nil
    let previous = progress.snapshot
    progress.written = after.written
    syncDue = syncDue ?? .now() + Self.syncDelay
    if isSynced {
      let isThere = attempt { () throws(SQLiteError) in
        try sync()
        progress.snapshot = after.snapshot
      }
      if isThere, after.snapshot != previous { pruned = after.snapshot }
    }
    publish()
  }

  private func sync() throws(SQLiteError) {
    guard syncDue != nil else { return }
    let start = MonotonicInstant.now()
    try journal.database.syncLog()
    progress.lastSyncDuration = .now() - start
    progress.synced = progress.written
    syncDue = nil
  }

  // MARK: What can wait

  private func tidy() {
    if progress.isOver { return }
    if progress.failure?.kind == .busy { writeAgain() }
    if let due = syncDue, due <= .now() {
      attempt { () throws(SQLiteError) in try sync() }
      publish()
    }
    if progress.failure != nil { return }
    if let snapshot = pruned {
      attempt { () throws(SQLiteError) in
        if try !journal.prune(before: snapshot) { pruned = nil }
      }
    }
    if journal.database.pagesInLog >= (pruned == nil ? Self.idleLog : Self.fullLog), checkpointDue <= .now() {
      attempt { () throws(SQLiteError) in try journal.checkpoint(progress) }
      if journal.database.pagesInLog > 0 { checkpointDue = .now() + Self.readerDelay }
    }
  }

  /// Does a piece of work, whose error becomes the failure that everybody sees.
  @discardableResult
  private func attempt(_ body: () throws(SQLiteError) -> Void) -> Bool {
    do throws(SQLiteError) {
      try body()
      return true
    } catch {
      progress.failure = journal.folder.error(error)
      publish()
      return false
    }
  }

  private func publish() {
    queue.withLock { $0.progress = progress }
    progressed()
  }
}
