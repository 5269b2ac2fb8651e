/// The things that the thread of a writer and its owner share.
struct WriterQueue {
  enum Item {
    case commit(Commit, synced: Bool)
    case snapshot(Snapshot, keeping: [HistoryBound])
  }

  /// The reason for which the thread gets up.
  enum Call {
    /// There is something to write, or to try again.
    case write([Item])
    case end([Item])
  }

  private var items: [Item] = []
  private var next: UInt64
  var progress: Progress
  /// The longest time for which a commit that need not be synced at once is not.
  var syncDelay: Duration
  var mayRetry = false
  var isClosed = false

  init(_ progress: Progress, _ limits: WriterLimits) {
    self.progress = progress
    syncDelay = limits.syncDelay
    next = progress.written + 1
  }

  mutating func append(_ commit: Commit, synced: Bool) {
    precondition(commit.number == next, "commit \(commit.number) comes where \(next) is due")
    next += 1
    add(.commit(commit, synced: synced))
  }

  mutating func append(_ snapshot: Snapshot, keeping history: [HistoryBound]) {
    // One from elsewhere may be ahead of all commits.
    next = max(next, snapshot.number + 1)
    add(.snapshot(snapshot, keeping: history))
  }

  private mutating func add(_ item: Item) {
    precondition(!isClosed, "the writer is closed")
    // Nobody would ever take it.
    if !progress.isOver { items.append(item) }
  }

  /// The thread's next task, if there is one; while the disk is full, only when it is asked to try again.
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

extension Progress {
  /// Whether nothing will be written any more.
  package var isOver: Bool {
    switch failure?.kind {
    case nil, .full?, .busy?: false
    default: true
    }
  }
}
