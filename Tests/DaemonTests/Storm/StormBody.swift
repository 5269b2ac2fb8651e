/// What a signal of a storm does in a turn.
enum StormEvent: Equatable {
  case value(Int)
  case completed
}

/// What the signals have made in a turn.
struct StormTurn {
  var made: [String: [StormEvent]] = [:]
  /// What one gives whoever chooses it in that turn: what it retains, and all that it made.
  let given: (String, [StormEvent]) -> [StormEvent]

  subscript(name: String) -> [StormEvent] { made[name] ?? [] }
  func given(by name: String) -> [StormEvent] { given(name, self[name]) }
}

/// A body at work, as naively as it can be said: each turn it is given what its inputs made, and makes a list of its own.
final class StormBody {
  /// One of its inputs: a shared signal by its name, or a run of its own of a cold one.
  final class Input {
    let name: String
    var own: StormBody?
    /// What it is given at its start.
    var pending: [StormEvent] = []
    var isOpen = true

    init(_ name: String) { self.name = name }
  }

  let signal: StormSignal
  var inputs: [Input] = []
  private var sum = 0
  private var latest: [Int?] = []
  /// What was chosen last and has not ended since.
  private var choice: String?
  private(set) var hasEnded = false

  init(_ signal: StormSignal) { self.signal = signal }

  /// The names of the shared signals that it and its own runs listen to.
  var listensTo: [String] {
    hasEnded ? [] : inputs.flatMap { input in input.own.map(\.listensTo) ?? [input.name] }
  }

  func make(from turn: StormTurn) -> [StormEvent] {
    if hasEnded { return [] }
    let lists = inputs.map { list(of: $0, in: turn) }
    var events = joined(lists, turn)
    if let end = events.firstIndex(of: .completed) {
      events = Array(events[...end])
      hasEnded = true
    }
    return events.map(step)
  }

  private func list(of input: Input, in turn: StormTurn) -> [StormEvent] {
    guard input.isOpen else { return [] }
    var events = input.pending + (input.own.map { $0.make(from: turn) } ?? turn[input.name])
    input.pending = []
    if let end = events.firstIndex(of: .completed) {
      events = Array(events[...end])
      input.isOpen = false
    }
    return events
  }

  private func joined(_ lists: [[StormEvent]], _ turn: StormTurn) -> [StormEvent] {
    switch signal.source {
    case .input, .property: return []
    case .from: return lists[0]
    case .merge:
      let values = lists.joined().filter { $0 != .completed }
      return values + (isExhausted(lists, inputs.allSatisfy { !$0.isOpen }) ? [.completed] : [])
    case .combine: return combined(lists)
    case .choice(_, let choices): return chosen(lists[0], choices, turn)
    }
  }

  /// Each choice says at once what it has to say before the next one replaces it; without any the last one goes on.
  private func chosen(_ choosers: [StormEvent], _ choices: [String], _ turn: StormTurn) -> [StormEvent] {
    var values: [StormEvent] = []
    func take(_ events: [StormEvent]) {
      values += events.filter { $0 != .completed }
      if events.contains(.completed) { choice = nil }
    }
    let before = choice
    for case .value(let value) in choosers {
      let name = choices[value % 2 == 0 ? 0 : 1]
      choice = name
      take(turn.given(by: name))
    }
    if let before, !choosers.contains(where: { $0 != .completed }) { take(turn[before]) }
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

  /// Something is only over in a turn in which something came.
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
