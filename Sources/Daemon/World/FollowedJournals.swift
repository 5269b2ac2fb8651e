import Linux
import ReactiveCore
import SignalGraph

/// The journals of systemd that graphs follow, each signal with a reading of its own.
final class FollowedJournals {
  /// How often a journal is looked for that is missing or cannot be read: nobody tells when it comes.
  private static let patience = Duration.seconds(2)

  let poller: Poller
  let work: Piecework
  let log: SignalLog
  private let loop: EventLoop
  /// Those whose journal is waited for.
  private var waiting: [FollowedJournal] = []
  private var timer: LoopTimer?

  init(loop: EventLoop, poller: Poller, work: Piecework, log: SignalLog) throws(Errno) {
    self.loop = loop
    self.poller = poller
    self.work = work
    self.log = log
    timer = try loop.addTimer { [unowned self] in lookAgain() }
  }

  /// Tells the entries of a journal until it is disposed of.
  ///
  /// - Parameter start: Where it is read from.
  func follow(
    _ query: SystemJournalQuery, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
  ) -> any Disposable {
    let followed = FollowedJournal(query, from: start, among: self, receive)
    followed.begin()
    work.add(followed)
    return AnyDisposable { [weak self] in
      followed.end()
      self?.waiting.removeAll { $0 === followed }
    }
  }

  /// Has one look for its journal again in a while.
  func wait(for journal: FollowedJournal) {
    journal.isAwaited = true
    waiting.append(journal)
    if waiting.count == 1 { setTimer() }
  }

  private func setTimer() {
    do throws(Errno) { try timer?.set(MonotonicInstant.now() + Self.patience) } catch { loop.fail(error) }
  }

  private func lookAgain() {
    let journals = waiting
    waiting = []
    for journal in journals {
      journal.isAwaited = false
      work.add(journal)
    }
  }
}
