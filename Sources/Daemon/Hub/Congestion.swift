import GraphEngine

/// The signals in which so much waits for calls of actions that their senders have to wait (`overflow: block`).
struct Congestion {
  /// The number of full queues of each signal.
  private var queues: [String: Int] = [:]
  private var waiting = WaitingSenders()
  /// The answers to adapters, which are slowed down by them.
  private var answers: [() -> Void] = []
  /// True while one of the signals takes values of files, programs, buses or journals, which then are not read.
  var holdsReaders = false

  /// The most answers that are held back.
  static let mostAnswers = 1_000

  var signals: Dictionary<String, Int>.Keys { queues.keys }
  var isEmpty: Bool { queues.isEmpty }

  mutating func set(_ signal: String, isFull: Bool) {
    let count = queues[signal, default: 0] + (isFull ? 1 : -1)
    queues[signal] = count > 0 ? count : nil
  }

  mutating func wait(_ sender: any Sender) { waiting.append(sender) }

  /// Holds an answer back.
  ///
  /// - Returns: `false` if too many are held back already.
  mutating func hold(_ answer: @escaping () -> Void) -> Bool {
    if answers.count >= Self.mostAnswers { return false }
    answers.append(answer)
    return true
  }

  /// Removes and returns the answers that are held back.
  mutating func takeAnswers() -> [() -> Void] {
    defer { answers = [] }
    return answers
  }

  /// Removes and returns the waiting senders; each checks again if it may continue.
  mutating func release() -> (senders: [any Sender], answers: [() -> Void]) {
    (waiting.take(), takeAnswers())
  }
}

extension Hub {
  /// Records a queue of calls that is full, or is no longer.
  func note(congestionOf signal: String, _ isFull: Bool) {
    congestion.set(signal, isFull: isFull)
    markCongested()
    if isFull { return }
    // Not within the turn in which the queue has emptied.
    _ = iteration.clock.schedule(after: .zero) { [weak self] in
      guard let self else { return }
      let released = congestion.release()
      for answer in released.answers { answer() }
      for sender in released.senders { sender.proceed() }
    }
  }

  /// Marks the signals whose senders wait for calls: all that the values in full queues come from.
  func markCongested() {
    for channel in channels where channel.isCongested { channel.isCongested = false }
    congestion.holdsReaders = false
    if congestion.isEmpty { return }
    for channel in feeders(of: channels.filter { congestion.signals.contains($0.name) }) {
      channel.isCongested = true
      if channel.signal.declaration.readsOutside { congestion.holdsReaders = true }
    }
  }
}
