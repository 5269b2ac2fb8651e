import GraphStories

extension ReferenceGraph {
  /// Returns the result of an operator on a source, with another signal.
  func step(_ step: RandomGraph.Step, _ input: Lists, _ others: RandomGraph.Choice) -> Lists {
    let other = others[0]
    switch step {
    case .double: return map(input) { [$0 * 2] }
    case .odd: return map(input) { $0 % 2 == 1 ? [$0] : [] }
    case .twice:
      return eachEvent(input) { event, output in
        output.send(event)
        if let number = event.number { output.send(.value(number + 1)) }
      }
    case .scan:
      return fold(input, 0) { state, value in
        state = (state + value) % 1000
        return [state]
      }
    case .skipRepeats:
      return fold(input, -1) { last, value in
        defer { last = value % 4 }
        return last == value % 4 ? [] : [value]
      }
    case .take:
      var count = 0
      return eachEvent(input) { event, output in
        output.send(event)
        count += 1
        if count == 5 { output.send(.completed) }
      }
    case .window:
      return fold(input, [Int]()) { last, value in
        last = last.suffix(2) + [value]
        return [last.reduce(0, +)]
      }
    case .startWith:
      return eachTurn { turn, output in
        for event in (turn == 0 ? [.value(1), .value(2)] : []) + input[turn] { output.send(event) }
      }
    case .group:
      return fold(input, [Int: Int]()) { sums, value in
        sums[value % 3] = ((sums[value % 3] ?? 0) + value + value % 3) % 1000
        return [sums[value % 3] ?? 0]
      }
    case .mergeWith: return merge([input, made[other]])
    case .concatWith: return concat(input, made[other])
    case .withLatest, .sample, .takeUntil, .skipUntil, .replacement, .bufferOn: return join(step, input, made[other])
    case .startLatest, .startConcat, .startMerge, .startFirst:
      return StartedSignals(step, self, others).lists(input)
    case .catch: return succession(input, other, passesValues: true) { ending, _ in ending == .failed }
    case .then: return succession(input, other, passesValues: false) { ending, _ in ending == .completed }
    case .ifEmpty: return succession(input, other, passesValues: true) { $0 == .completed && $1 }
    }
  }

  private func eachEvent(_ input: Lists, _ body: (Event, inout ReferenceOutput) -> Void) -> Lists {
    eachTurn { turn, output in
      for event in input[turn] { body(event, &output) }
    }
  }

  private func fold<State>(_ input: Lists, _ initial: State, _ next: (inout State, Int) -> [Int]) -> Lists {
    var state = initial
    return eachEvent(input) { event, output in
      guard let number = event.number else { return output.send(event) }
      for value in next(&state, number) { output.send(value) }
    }
  }

  private func map(_ input: Lists, _ transform: (Int) -> [Int]) -> Lists {
    fold(input, ()) { _, value in transform(value) }
  }

  /// Returns the result of an operator that sees another signal settled.
  private func join(_ step: RandomGraph.Step, _ input: Lists, _ other: Lists) -> Lists {
    var latest: Int?
    var values: [Int] = []
    var isOpen = false
    return eachTurn { turn, output in
      switch step {
      case .withLatest:
        latest = other[turn].last { $0.isValue }?.number ?? latest
        for event in input[turn] where event.isValue {
          if let latest, let number = event.number { output.send(number + latest) }
        }
        output.failIfAny(other[turn])
        if let ending = input[turn].last, !ending.isValue { output.send(ending) }
      case .sample:
        latest = input[turn].last { $0.isValue }?.number ?? latest
        for event in other[turn] where event.isValue { latest.map { output.send($0) } }
        if let ending = (input[turn] + other[turn]).first(where: { !$0.isValue }) { output.send(ending) }
      case .takeUntil:
        let stops = other[turn].contains { $0.number.map { $0 % 7 == 1 } ?? ($0 == .completed) }
        if stops { output.send(.completed) }
        output.failIfAny(other[turn])
        for event in input[turn] { output.send(event) }
      case .skipUntil:
        isOpen = isOpen || other[turn].contains { $0 != .failed }
        output.failIfAny(other[turn])
        for event in input[turn] where isOpen || !event.isValue { output.send(event) }
      case .replacement:
        let replacement = other[turn].filter { $0.number.map { $0 % 5 == 1 } ?? true }
        isOpen = isOpen || !replacement.isEmpty
        for event in isOpen ? replacement : input[turn] where isOpen || event != .completed { output.send(event) }
      default:
        values += input[turn].compactMap(\.number)
        let isOver = input[turn].last == .completed
        if other[turn].contains(where: \.isValue), !values.isEmpty {
          output.send(values.reduce(0, +))
          values = []
        }
        output.failIfAny(other[turn])
        if isOver, !values.isEmpty { output.send(values.reduce(0, +)) }
        if let ending = input[turn].last, !ending.isValue { output.send(ending) }
      }
    }
  }

  /// Returns a stream and its successors after the given endings.
  private func succession(
    _ input: Lists, _ other: Int, passesValues: Bool, follows: (Event, _ isEmpty: Bool) -> Bool
  ) -> Lists {
    var isEmpty = true
    var isFirst = true
    return eachTurn { turn, output in
      guard isFirst else { return made[other][turn].forEach { output.send($0) } }
      for event in input[turn] {
        if event.isValue {
          isEmpty = false
          if passesValues { output.send(event) }
        } else if follows(event, isEmpty) {
          isFirst = false
          for event in newcomer(to: other, at: turn) { output.send(event) }
        } else {
          output.send(event)
        }
      }
    }
  }
}

/// The inner streams of `flat_map`: runs that subscribe to a signal or two, each for a few values.
struct StartedSignals {
  private struct Run {
    let id: Int
    let value: Int
    let turn: Int
    var left: Int
    var heard: ReferenceRun
  }

  private let step: RandomGraph.Step
  private let graph: ReferenceGraph
  private let others: RandomGraph.Choice
  private var runs: [Run] = []
  private var waiting: [Int] = []
  private var isOuterOpen = true
  private var turn = 0
  private var started = 0
  private var output = ReferenceOutput()

  init(_ step: RandomGraph.Step, _ graph: ReferenceGraph, _ others: RandomGraph.Choice) {
    self.step = step
    self.graph = graph
    self.others = others
  }

  func lists(_ input: ReferenceGraph.Lists) -> ReferenceGraph.Lists {
    var copy = self
    for (turn, events) in input.enumerated() { copy.carryOut(turn, events) }
    return copy.output.lists
  }

  private mutating func carryOut(_ turn: Int, _ events: [ReferenceGraph.Event]) {
    self.turn = turn
    output.beginTurn()
    for event in events {
      switch event {
      case .value(let value): addSubscriber(value)
      case .failed: output.send(.failed)
      case .completed:
        isOuterOpen = false
        completeIfDone()
      }
    }
    for run in runs where run.turn < turn {
      hear(run.id) { [graph] in graph.made[$0][turn] }
    }
  }

  private var room: Int { step == .startMerge ? 8 : 1 }

  private mutating func addSubscriber(_ value: Int) {
    switch step {
    case .startLatest:
      runs = []
      start(value)
    case .startFirst: if runs.isEmpty { start(value) }
    default:
      waiting.append(value)
      startWaiting()
    }
  }

  private mutating func startWaiting() {
    while runs.count < room, !waiting.isEmpty { start(waiting.removeFirst()) }
  }

  private mutating func start(_ value: Int) {
    started += 1
    let id = started
    runs.append(Run(id: id, value: value, turn: turn, left: step == .startMerge ? 1 : 2, heard: ReferenceRun(others)))
    hear(id) { [graph, turn] in graph.newcomer(to: $0, at: turn) }
  }

  private mutating func hear(_ id: Int, _ events: (Int) -> [ReferenceGraph.Event]) {
    guard let index = runs.firstIndex(where: { $0.id == id }) else { return }
    for event in runs[index].heard.merge(events) { take(event, id) }
  }

  private mutating func take(_ event: ReferenceGraph.Event, _ id: Int) {
    guard let index = runs.firstIndex(where: { $0.id == id }) else { return }
    switch event {
    case .failed: output.send(.failed)
    case .completed: end(index)
    case .value(let value):
      output.send(value + runs[index].value)
      runs[index].left -= 1
      if runs[index].left == 0 { end(index) }
    }
  }

  private mutating func end(_ index: Int) {
    runs.remove(at: index)
    if step != .startLatest, step != .startFirst { startWaiting() }
    completeIfDone()
  }

  private mutating func completeIfDone() {
    if !isOuterOpen, runs.isEmpty, waiting.isEmpty { output.send(.completed) }
  }
}
