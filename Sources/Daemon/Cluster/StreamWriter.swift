import GraphModel
import Linux
import StateLog

/// The writer of a log in a stream: passes commits and snapshots to the node's part in the log, and wakes the graphs when
/// they are stored.
///
/// Acknowledged is both written and synced: what that means is the servers' business.
final class StreamWriter: StateLogWriting {
  private(set) var progress: Progress
  private weak var home: ClusterHome?
  private let wakeup: WakeupPipe
  /// The number of the last commit or snapshot passed on.
  private var last: UInt64
  /// The time since which the oldest of them waits.
  private var waitsSince: MonotonicInstant?
  /// The commits that wait, and since when: the graphs have few at a time.
  private var waiting: [(number: UInt64, since: MonotonicInstant)] = []

  /// The time after which the servers count as away.
  private static let patience = Duration.seconds(3)
  /// The time for the last commits at the end of the daemon.
  private static let farewell = Duration.seconds(2)

  init(_ home: ClusterHome, after commit: UInt64, wakeup: WakeupPipe) {
    (self.home, self.wakeup, last) = (home, wakeup, commit)
    progress = Progress(upTo: commit, snapshot: nil)
  }

  // MARK: Events

  /// Takes note of a commit that is stored.
  func stored(_ number: UInt64, at now: MonotonicInstant) {
    progress.written = max(progress.written, number)
    progress.synced = progress.written
    while let first = waiting.first, first.number <= number {
      home?.commitTime += now - first.since
      home?.commitCount += 1
      waiting.removeFirst()
    }
    waitsSince = progress.written < last ? now : nil
    wakeup.signal()
  }

  /// Takes note of a snapshot that is stored.
  func storedSnapshot(_ number: UInt64, at now: MonotonicInstant) {
    progress.snapshot = number
    stored(number, at: now)
  }

  /// True while something has waited too long for the servers.
  func isStalled(at now: MonotonicInstant) -> Bool { waitsSince.map { now - $0 > Self.patience } ?? false }

  /// Suspends inputs, or resumes them.
  func setAway(_ error: StorageError?) {
    guard progress.failure?.kind != .fenced, progress.failure != error else { return }
    progress.failure = error
    wakeup.signal()
  }

  /// Ends writing for good: another node owns the log.
  func end(_ error: StorageError) {
    progress.failure = error
    home = nil
  }

  // MARK: StateLogWriting

  func append(_ commit: Commit, emitted: () -> [UInt8], synced: Bool) {
    note(commit.number)
    home?.append(commit)
  }

  func append(_ snapshot: Snapshot, emitted: () -> [UInt8], keeping history: [HistoryBound]) {
    let emitted = snapshot.number > last ? emitted() : []
    note(snapshot.number)
    home?.append(snapshot, emitted)
  }

  private func note(_ number: UInt64) {
    if number <= last { return }
    last = number
    let now = MonotonicInstant.now()
    waiting.append((number, now))
    waitsSince = waitsSince ?? now
  }

  func sync(within delay: Duration) {}
  func retry() {}

  func wait(forCommit number: UInt64) {
    home?.node.run(within: Self.farewell) { progress.written >= number || progress.failure != nil }
  }

  func close() { wait(forCommit: last) }
}
