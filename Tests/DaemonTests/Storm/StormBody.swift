/// The event of a signal in a turn.
enum StormEvent: Equatable {
  case value(Int)
  case completed
}

/// The events of all signals in a turn.
struct StormTurn {
  var made: [String: [StormEvent]] = [:]
  /// The events for a signal that chooses another in that turn: the retained ones, and all of the turn.
  let given: (String, [StormEvent]) -> [StormEvent]

  subscript(name: String) -> [StormEvent] { made[name] ?? [] }
  func given(by name: String) -> [StormEvent] { given(name, self[name]) }
}

/// A body at work, as naively as possible: each turn it gets the events of its inputs, and produces a list of its own.
final class StormBody {
  /// One of its inputs: a shared signal by its name, or a private run of a cold one.
  final class Input {
    let name: String
    var own: StormBody?
    /// The events at its start.
    var pending: [StormEvent] = []
    var isOpen = true

    init(_ name: String) { self.name = name }
  }

  let signal: StormSignal
  var inputs: [Input] = []
  private var sum = 0
  private var latest: [Int?] = []
  /// The last choice that has not ended since.
  private var choice: String?
  private(set) var hasEnded = false

  init(_ signal: StormSignal) { self.signal = signal }

  /// The names of the shared signals that it and its private runs subscribe to.
  var listensTo: [String] {
    hasEnded ? [] : inputs.flatMap { input in input.own.map(\.listensTo) ?? [input.name] }
  }

  func make(from iteration: StormTurn) -> [StormEvent] {
    if hasEnded { return [] }
    let lists = inputs.map { list(of: $0, in: iteration) }
    var events = joined(lists, iteration)
    if let end = events.firstIndex(of: .completed) {
      events = Array(events[...end])
      hasEnded = true
    }
    return events.map(step)
  }

  private func list(of input: Input, in iteration: StormTurn) -> [StormEvent] {
    guard input.isOpen else { return [] }
    var events = input.pending + (input.own.map { $0.make(from: iteration) } ?? iteration[input.name])
    input.pending = []
    if let end = events.firstIndex(of: .completed) {
      events = Array(events[...end])
      input.isOpen = false
    }
    return events
  }

  private func joined(_ lists: [[StormEvent]], _ iteration: StormTurn) -> [StormEvent] {
    switch signal.source {
    case .input, .property: return []
    case .from: return lists[0]
    case .merge:
      let values = lists.joined().filter { $0 != .completed }
      return values + (isExhausted(lists, inputs.allSatisfy { !$0.isOpen }) ? [.completed] : [])
    case .combine: return combined(lists)
    case .choice(_, let choices): return chosen(lists[0], choices, iteration)
    }
  }

  /// Each choice emits its immediate events before the next one replaces it; without choices the last one continues.
  private func chosen(_ choosers: [StormEvent], _ choices: [String], _ iteration: StormTurn) -> [StormEvent] {
    var values: [StormEvent] = []
    func take(_ events: [StormEvent]) {
      values += events.filter { $0 != .completed }
      if events.contains(.completed) { choice = nil }
    }
    let before = choice
    for case .value(let value) in choosers {
      let name = choices[value % 2 == 0 ? 0 : 1]
      choice = name
      take(iteration.given(by: name))
    }
    if let before, !choosers.contains(where: { $0 != .completed }) { take(iteration[before]) }
    return values + (choice == nil && !inputs[0].isOpen ? [.completed] : [])
  }

  private func combined(_ lists: [[StormEvent]]) -> [StormEvent] {
    if latest.isEmpty { latest = inputs.map { _ in nil } }
    var isChanged = false
    for (index, list) in lists.enumerated() {
      for case .value(let value) in list {
        latest[index] = value
        isChanged = true
      }
    }
    let values = latest.compactMap(\.self)
    let isWhole = values.count == inputs.count
    let isOver = inputs.allSatisfy { !$0.isOpen } || zip(inputs, latest).contains { !$0.isOpen && $1 == nil }
    return (isChanged && isWhole ? [.value(values.reduce(0, +))] : [])
      + (isExhausted(lists, isOver) ? [.completed] : [])
  }

  /// Exhaustion takes effect only in a turn with events.
  private func isExhausted(_ lists: [[StormEvent]], _ isOver: Bool) -> Bool {
    isOver && lists.contains { !$0.isEmpty }
  }

  private func step(_ event: StormEvent) -> StormEvent {
    guard case .value(let value) = event else { return event }
    switch signal.step {
    case .none: return event
    case .add(let number): return .value(value + number)
    case .scan:
      sum += value
      return .value(sum)
    }
  }
}
