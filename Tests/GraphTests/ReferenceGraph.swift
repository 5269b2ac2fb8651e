import GraphStories

/// A naive engine: after each turn it recomputes, from the very first turn on, all events of every signal.
///
/// A signal is a list of events for each turn, and an operator a loop over turns; nothing is stored between two
/// computations, and there is no order but that of the signals and of the turns.
struct ReferenceGraph {
  enum Event: Equatable {
    case value(Int)
    case completed
    case failed
  }

  /// The events of each turn; nothing follows an ending.
  typealias Lists = [[Event]]

  private let graph: RandomGraph
  /// The events from outside and from `send_to`, turn by turn, each with its target.
  private var sent: [(target: Int, event: Event)?] = [nil]
  private(set) var made: [Lists] = []
  /// The number of values sent by the feedback signal.
  private var fedBack = 0

  init(_ graph: RandomGraph) {
    self.graph = graph
    compute()
    carryOutFeedback()
  }

  private var turns: Range<Int> { sent.indices }

  /// Executes a turn and those that it causes.
  ///
  /// - Returns: The number of turns before.
  mutating func send(_ event: Event, to target: Int) -> Int {
    let before = sent.count
    carryOut(event, target)
    carryOutFeedback(from: before)
    return before
  }

  func hasEnded(_ index: Int) -> Bool { made[index].joined().contains { !$0.isValue } }

  private mutating func carryOut(_ event: Event, _ target: Int) {
    sent.append((target, event))
    compute()
  }

  private mutating func carryOutFeedback(from first: Int = 0) {
    guard let feedback = graph.feedback else { return }
    var turn = first
    while turn < sent.count {
      for case .value(let value) in made[feedback.from][turn] where value > 500 && fedBack < 20 {
        fedBack += 1
        queue.append(value - 400)
      }
      turn += 1
      while turn == sent.count, !queue.isEmpty {
        let value = queue.removeFirst()
        if !hasEnded(feedback.to) { carryOut(.value(value), feedback.to) }
      }
    }
  }

  /// Feedback values to be sent, each in a turn of its own.
  private var queue: [Int] = []

  private mutating func compute() {
    made = []
    for index in graph.signals.indices { made.append(lists(of: index)) }
  }

  private func lists(of index: Int) -> Lists {
    let signal = graph.signals[index]
    let source = lists(of: signal.source, index)
    return signal.step.map { step($0, source, graph.others[index]) } ?? source
  }
}

extension ReferenceGraph.Event {
  var isValue: Bool {
    if case .value = self { true } else { false }
  }

  var number: Int? {
    if case .value(let number) = self { number } else { nil }
  }
}

/// The events of a signal, turn by turn, up to its ending.
struct ReferenceOutput {
  private(set) var lists: ReferenceGraph.Lists = []
  private(set) var hasEnded = false

  mutating func beginTurn() { lists.append([]) }

  mutating func send(_ event: ReferenceGraph.Event) {
    guard !hasEnded else { return }
    lists[lists.count - 1].append(event)
    hasEnded = !event.isValue
  }

  mutating func send(_ value: Int) { send(.value(value % 1000)) }

  mutating func failIfAny(_ events: [ReferenceGraph.Event]) {
    if events.contains(.failed) { send(.failed) }
  }
}

// MARK: - Sources

extension ReferenceGraph {
  /// Loops over the turns.
  func eachTurn(_ body: (Int, inout ReferenceOutput) -> Void) -> Lists {
    var output = ReferenceOutput()
    for turn in turns {
      output.beginTurn()
      body(turn, &output)
    }
    return output.lists
  }

  private func lists(of source: RandomGraph.Source, _ index: Int) -> Lists {
    switch source {
    case .input: return received(by: index)
    case .property(let initial): return [[.value(initial)]] + received(by: index).dropFirst()
    case .from(let one): return made[one]
    case .merge(let all): return merge(all.map { made[$0] })
    case .combine(let all, let eachEvent): return combine(all.map { made[$0] }, eachEvent)
    case .zip(let all): return zip(all.map { made[$0] })
    case .concat(let all): return all.dropFirst().reduce(made[all[0]]) { concat($0, made[$1]) }
    case .race(let all):
      var winner: Int?
      return eachTurn { turn, output in
        winner = winner ?? all.first { !made[$0][turn].isEmpty }
        for event in winner.map({ made[$0][turn] }) ?? [] { output.send(event) }
      }
    case .combineLast(let all): return combineLast(all.map { made[$0] })
    case .choose(let on, let cases, let otherwise):
      return choose(made[on]) { key in [0: cases[0], 1: cases[1]][key % 3] ?? otherwise }
    case .ifElse(let condition, let then, let otherwise):
      return choose(made[condition]) { $0 % 2 == 1 ? then : otherwise }
    }
  }

  private func received(by index: Int) -> Lists {
    eachTurn { turn, output in
      if let (target, event) = sent[turn], target == index { output.send(event) }
    }
  }

  func merge(_ inputs: [Lists]) -> Lists {
    var open = inputs.count
    return eachTurn { turn, output in
      for event in inputs.flatMap({ $0[turn] }) {
        if event == .completed { open -= 1 } else { output.send(event) }
      }
      if open == 0 { output.send(.completed) }
    }
  }

  private func combine(_ inputs: [Lists], _ eachEvent: Bool) -> Lists {
    var latest = inputs.map { _ in Int?.none }
    var open = inputs.map { _ in true }
    return eachTurn { turn, output in
      var isChanged = false
      for (index, input) in inputs.enumerated() {
        for event in input[turn] {
          if event == .completed { open[index] = false }
          guard let number = event.number else { continue }
          latest[index] = number
          isChanged = true
          if eachEvent, !latest.contains(nil) { output.send(latest.reduce(0) { $0 + ($1 ?? 0) }) }
        }
      }
      if !eachEvent, isChanged, !latest.contains(nil) { output.send(latest.reduce(0) { $0 + ($1 ?? 0) }) }
      output.failIfAny(inputs.flatMap { $0[turn] })
      if !open.contains(true) || Swift.zip(latest, open).contains(where: { $0 == nil && !$1 }) {
        output.send(.completed)
      }
    }
  }

  private func zip(_ inputs: [Lists]) -> Lists {
    var pairs = 0
    return eachTurn { turn, output in
      let values = inputs.map { $0[...turn].joined().compactMap(\.number) }
      for index in pairs..<max(pairs, values.map(\.count).min() ?? 0) {
        output.send(values.reduce(0) { $0 + $1[index] })
        pairs += 1
      }
      output.failIfAny(inputs.flatMap { $0[turn] })
      let isExhausted = inputs.indices.contains { index in
        values[index].count == pairs && inputs[index][...turn].joined().contains(.completed)
      }
      if isExhausted { output.send(.completed) }
    }
  }

  private func combineLast(_ inputs: [Lists]) -> Lists {
    eachTurn { turn, output in
      let soFar = inputs.map { Array($0[...turn].joined()) }
      output.failIfAny(soFar.flatMap(\.self))
      if soFar.contains(where: { $0 == [.completed] }) { output.send(.completed) }
      guard soFar.allSatisfy({ $0.contains(.completed) }) else { return }
      output.send(soFar.reduce(0) { $0 + ($1.last { $0.isValue }?.number ?? 0) })
      output.send(.completed)
    }
  }

  /// Returns one stream, and after its completion all events of the other from the beginning.
  func concat(_ first: Lists, _ second: Lists) -> Lists {
    var isFirst = true
    return eachTurn { turn, output in
      var events = isFirst ? first[turn] : second[turn]
      if isFirst, events.last == .completed {
        isFirst = false
        events = events.dropLast() + second[...turn].joined()
      }
      for event in events { output.send(event) }
    }
  }

  /// Returns the events of the latest choice, as everything has settled in the turn.
  ///
  /// Each of several choices in one turn emits its immediate events.
  private func choose(_ keys: Lists, _ choice: (Int) -> RandomGraph.Choice?) -> Lists {
    var chosen: ReferenceRun?
    var isOpen = true
    func pass(_ events: [Event], _ output: inout ReferenceOutput) {
      for event in events { if event == .completed { chosen = nil } else { output.send(event) } }
    }
    return eachTurn { turn, output in
      var isNew = false
      for event in keys[turn] {
        switch event {
        case .failed: output.send(.failed)
        case .completed: isOpen = false
        case .value(let key):
          guard let choice = choice(key) else { continue }
          isNew = true
          chosen = ReferenceRun(choice)
          let events = chosen?.merge {
            made[$0][turn].contains(where: \.isValue) ? made[$0][turn] : newcomer(to: $0, at: turn)
          }
          pass(events ?? [], &output)
        }
      }
      if !isNew, let events = chosen?.merge({ made[$0][turn] }) { pass(events, &output) }
      if !isOpen, chosen == nil { output.send(.completed) }
    }
  }

  /// Returns the events of a signal for a subscriber added when a turn has settled.
  func newcomer(to index: Int, at turn: Int) -> [Event] {
    let soFar = made[index][...turn].joined()
    var isHeld = graph.signals[index].isHeld
    if case .property = graph.signals[index].source { isHeld = true }
    let held = isHeld ? soFar.last { $0.isValue } : nil
    return [held, soFar.last { !$0.isValue }].compactMap(\.self)
  }
}

/// A run of a choice.
struct ReferenceRun {
  private let choice: RandomGraph.Choice
  private var open: Int

  init(_ choice: RandomGraph.Choice) {
    self.choice = choice
    open = choice.count
  }

  /// Returns the events of its signals in a turn, one signal after the other.
  mutating func merge(_ events: (Int) -> [ReferenceGraph.Event]) -> [ReferenceGraph.Event] {
    let all = choice.flatMap(events)
    open -= all.count { $0 == .completed }
    return all.filter { $0 != .completed } + (open == 0 ? [.completed] : [])
  }
}
