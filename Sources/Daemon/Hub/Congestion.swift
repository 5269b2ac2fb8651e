import GraphEngine
import Linux
import Persistence

/// The queues of calls and messages that are full (`overflow: block`), and what waits for them.
struct Congestion {
  /// The number of full queues of each signal.
  private var queues: [String: Int] = [:]
  private var waiting = WaitingSenders()
  /// The answers to adapters, which are slowed down by them, with the signals that the adapters feed.
  private var answers: [(signal: String, answer: () -> Void)] = []

  /// The most answers that are held back.
  static let mostAnswers = 1_000

  var signals: Dictionary<String, Int>.Keys { queues.keys }

  /// Counts a queue that is full, or is no longer.
  ///
  /// - Returns: `true` if the signal has full queues only now, or has none any more.
  mutating func set(_ signal: String, isFull: Bool) -> Bool {
    let count = queues[signal, default: 0] + (isFull ? 1 : -1)
    queues[signal] = count > 0 ? count : nil
    return isFull ? count == 1 : count <= 0
  }

  mutating func wait(_ sender: any Sender) { waiting.append(sender) }

  /// Holds an answer back.
  ///
  /// - Returns: `false` if too many are held back already.
  mutating func hold(_ answer: @escaping () -> Void, of signal: String) -> Bool {
    if answers.count >= Self.mostAnswers { return false }
    answers.append((signal, answer))
    return true
  }

  /// Removes and returns the answers that are held back, or those of the signals that satisfy the predicate.
  mutating func takeAnswers(where mayAnswer: (String) -> Bool = { _ in true }) -> [() -> Void] {
    let taken = answers.filter { mayAnswer($0.signal) }
    answers.removeAll { mayAnswer($0.signal) }
    return taken.map(\.answer)
  }

  /// Removes and returns the waiting senders; each checks again if it may continue.
  mutating func takeSenders() -> [any Sender] { waiting.take() }
}

extension Hub {
  /// Records a queue that is full, or is no longer.
  func note(congestionOf signal: String, _ isFull: Bool) {
    if congestion.set(signal, isFull: isFull) { mark(signal, isFull: isFull) }
    if isFull { return }
    // Not within the turn in which the queue has emptied.
    _ = iteration.clock.schedule(after: .zero) { [weak self] in
      guard let self else { return }
      for answer in congestion.takeAnswers(where: { !self.isCongested($0) }) { answer() }
      for sender in congestion.takeSenders() { sender.proceed() }
    }
  }

  /// Tells each signal the full queues that its values reach: its senders and its source wait for these.
  func markCongested() {
    for channel in channels where channel.isCongested { channel.fullQueues = [] }
    for signal in congestion.signals.sorted() { mark(signal, isFull: true) }
  }

  private func mark(_ signal: String, isFull: Bool) {
    if isFull {
      for channel in feeders(of: [channel(named: signal)].compactMap(\.self)) { channel.fullQueues.append(signal) }
    } else {
      for channel in channels where channel.isCongested { channel.fullQueues.removeAll { $0 == signal } }
    }
  }

  /// Indicates that the files, programs and journals that a signal takes values from are not read: the disk of a durable
  /// graph is behind that its values enter, its own graph cannot be written now, or a queue is full.
  func pausesReaders(of signal: String) -> Bool {
    guard let channel = channel(named: signal) else { return false }
    return channel.isCongested || channel.commits?.graphs.holdsSources ?? false
      || channel.fedCommits.contains { $0.graphs.isBehind }
  }

  private func isCongested(_ signal: String) -> Bool { channel(named: signal)?.isCongested ?? false }
}
