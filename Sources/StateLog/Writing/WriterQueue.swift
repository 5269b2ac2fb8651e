/// The state shared by a writer's thread and its owner.
struct WriterQueue {
  enum Item {
    case commit(Commit, synced: Bool)
    case snapshot(Snapshot, keeping: [HistoryBound])
  }

  /// A request to the thread.
  enum Call {
    /// Write these items, or retry.
    case write([Item])
    case end([Item])
  }

  private var items: [Item] = []
  private var next: UInt64
  var progress: Progress
  /// The maximum delay for syncing commits that need no immediate sync.
  var syncDelay: Duration
  var mayRetry = false
  var isClosed = false

  init(_ progress: Progress, _ limits: WriterLimits) {
    self.progress = progress
    syncDelay = limits.syncDelay
    next = progress.written + 1
  }

  mutating func append(_ commit: Commit, synced: Bool) {
    precondition(commit.number == next, "commit \(commit.number) out of order: expected \(next)")
    next += 1
    add(.commit(commit, synced: synced))
  }

  mutating func append(_ snapshot: Snapshot, keeping history: [HistoryBound]) {
    // A snapshot from elsewhere may be ahead of all commits.
    next = max(next, snapshot.number + 1)
    add(.snapshot(snapshot, keeping: history))
  }

  private mutating func add(_ item: Item) {
    precondition(!isClosed, "the writer is closed")
    // Discarded, since no thread would ever process it.
    if !progress.isOver { items.append(item) }
  }

  /// Returns the thread's next task, if any; while the disk is full, only after a request to retry.
  mutating func call() -> Call? {
    defer { mayRetry = false }
    let isStuck = progress.failure != nil
    if isClosed { return .end(take()) }
    if isStuck ? mayRetry && !progress.isOver : !items.isEmpty { return .write(take()) }
    return nil
  }

  private mutating func take() -> [Item] {
    defer { items = [] }
    return items
  }
}
