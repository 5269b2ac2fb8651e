import GraphEngine
import GraphModel
import Linux
import Signals

/// The system journals that graphs follow, with a reader for each signal.
final class FollowedSystemJournals: SystemService {
  /// The interval between attempts to open a system journal that is missing or cannot be read; no notification exists.
  private static let patience = Duration.seconds(2)

  let poller: Poller
  let work: CooperativeTasks
  let log: SignalLog
  private let loop: EventLoop
  /// Signals that wait for their system journal.
  private var waiting: [FollowedSystemJournal] = []
  private var timer: LoopTimer?

  init(_ services: SystemServices) throws(Errno) {
    (loop, poller, work, log) = (services.loop, services.poller, services.work, services.signalLog)
    timer = try loop.addTimer { [unowned self] in lookAgain() }
  }

  /// Delivers the entries of a system journal until it is disposed of.
  ///
  /// - Parameter start: The position to read from.
  func follow(
    _ query: SystemJournalQuery, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
  ) -> any Disposable {
    let followed = FollowedSystemJournal(query, from: start, among: self, receive)
    followed.begin()
    work.add(followed)
    return AnyDisposable { [weak self] in
      followed.end()
      self?.waiting.removeAll { $0 === followed }
    }
  }

  /// Schedules another attempt to open a system journal.
  func wait(for journal: FollowedSystemJournal) {
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

extension SystemJournalQuery: SystemQuery {
  func follow(
    with services: SystemServices, from start: SystemJournalStart, _ receive: @escaping (SystemJournalEvent) -> Void
  ) throws(Errno) -> any Disposable {
    try services(FollowedSystemJournals.self).follow(self, from: start, receive)
  }
}
