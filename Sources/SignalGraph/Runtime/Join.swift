import JSON
import ReactiveCore

/// Where several streams meet: it collects what each made in a turn, then makes a list of its own.
final class Join: Settling {
  /// What each input made in this turn, in the order in which the inputs are listed.
  typealias Inbox = [[Stream.Event]]

  let rank: Int
  private let turns: Turns
  private var inbox: Inbox
  private var isMarked = false
  private let rule: (Inbox, StreamObserver) -> Void
  private let output: StreamObserver

  /// Joins `inputs` by a rule that is called once for each turn in which one of them made something.
  static func stream(
    of inputs: [Stream], rank: Int, in turns: Turns, rule: @escaping (Inbox, StreamObserver) -> Void
  ) -> Stream {
    Stream { output, lifetime in
      let join = Join(inputs: inputs.count, rank: rank, turns: turns, output: output, rule: rule)
      for (index, input) in inputs.enumerated() {
        lifetime += input.observe { join.collect($0, from: index) }
      }
    }
  }

  private init(
    inputs: Int, rank: Int, turns: Turns, output: StreamObserver, rule: @escaping (Inbox, StreamObserver) -> Void
  ) {
    self.rank = rank
    self.turns = turns
    self.inbox = Array(repeating: [], count: inputs)
    self.output = output
    self.rule = rule
  }

  private func collect(_ event: Stream.Event, from index: Int) {
    // What is taken down between two turns interrupts what hung on it; nobody is left to hear of it.
    guard turns.isRunning else { return }
    inbox[index].append(event)
    guard !isMarked else { return }
    isMarked = true
    turns.mark(self)
  }

  func settle() {
    isMarked = false
    let events = inbox
    for index in inbox.indices { inbox[index] = [] }
    rule(events, output)
  }
}
