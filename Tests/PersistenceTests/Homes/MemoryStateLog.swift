import StateLog
import Synchronization

/// A state log in memory; what it is given is durable once the test says so.
final class MemoryStateLog: StateLogWriting, RecordedState {
  private enum Item {
    case commit(Commit, emitted: [UInt8])
    case snapshot(Snapshot, emitted: [UInt8])
  }

  private struct Content {
    var progress = Progress(upTo: 0, snapshot: nil)
    var waiting: [Item] = []
    var snapshot: Snapshot?
    /// What the newest snapshot publishes in the place of a commit.
    var published: [UInt8] = []
    /// The number of the last commit or snapshot that was given.
    var last: UInt64 = 0
    var commits: [(commit: Commit, emitted: [UInt8])] = []
  }

  private let content: Mutex<Content>

  init() { content = Mutex(Content()) }

  /// Creates the log that another process finds after this one was killed.
  init(killed log: MemoryStateLog) {
    let (snapshot, commits) = log.content.withLock { ($0.snapshot, $0.commits) }
    let last = max(commits.last?.commit.number ?? 0, snapshot?.number ?? 0)
    content = Mutex(
      Content(
        progress: Progress(upTo: last, snapshot: snapshot?.number), snapshot: snapshot, last: last, commits: commits))
  }

  // MARK: Test

  /// Makes all that was given durable, and ends a failure.
  func write() {
    content.withLock { content in
      content.progress.failure = nil
      for item in content.waiting {
        switch item {
        case .commit(let commit, let emitted):
          content.commits.append((commit, emitted))
          (content.progress.written, content.progress.synced) = (commit.number, commit.number)
        case .snapshot(let snapshot, let emitted):
          content.snapshot = snapshot
          content.published = emitted
          content.progress.snapshot = snapshot.number
          let last = max(content.progress.written, snapshot.number)
          (content.progress.written, content.progress.synced) = (last, last)
        }
      }
      content.waiting = []
    }
  }

  func fail(_ kind: StorageError.Kind) {
    content.withLock { $0.progress.failure = StorageError(kind, "the test wants it") }
  }

  /// What the newest snapshot publishes in the place of a commit.
  var published: [UInt8] { content.withLock { $0.published } }

  /// The number of the last commit.
  var lastCommit: UInt64? { content.withLock { $0.commits.last?.commit.number } }

  /// What the commits publish, each in its encoded form.
  var emitted: [[UInt8]] { content.withLock { $0.commits.map(\.emitted) } }

  // MARK: StateLogWriting

  var progress: Progress { content.withLock { $0.progress } }

  func append(_ commit: Commit, emitted: () -> [UInt8], synced: Bool) {
    let bytes = emitted()
    content.withLock {
      $0.waiting.append(.commit(commit, emitted: bytes))
      $0.last = commit.number
    }
  }

  func append(_ snapshot: Snapshot, emitted: () -> [UInt8], keeping history: [HistoryBound]) {
    let bytes = snapshot.number > content.withLock({ $0.last }) ? emitted() : []
    content.withLock {
      $0.waiting.append(.snapshot(snapshot, emitted: bytes))
      $0.last = snapshot.number
    }
  }

  func sync(within delay: Duration) {}
  func retry() {}
  func wait(forCommit number: UInt64) { close() }
  func close() { if progress.failure == nil { write() } }

  // MARK: RecordedState

  func newestSnapshot() -> Snapshot? { content.withLock { $0.snapshot } }

  func forEachCommit(after number: UInt64, _ body: (Commit) throws(StorageError) -> Void) throws(StorageError) {
    for (commit, _) in content.withLock({ $0.commits }) where commit.number > number { try body(commit) }
  }
}
