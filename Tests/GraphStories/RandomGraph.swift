/// A random graph of integers below 1000.
package struct RandomGraph {
  /// A signal, by its index among the signals; it depends on earlier ones only.
  package struct Signal {
    package let source: Source
    package let step: Step?
    package let isHeld: Bool
  }

  package enum Source {
    case input
    case property(Int)
    case from(Int)
    case merge([Int])
    case combine([Int], eachEvent: Bool)
    case zip([Int])
    case concat([Int])
    case race([Int])
    case combineLast([Int])
    case choose(on: Int, cases: [Choice], otherwise: Choice?)
    case ifElse(Int, then: Choice, otherwise: Choice)
  }

  /// The signals of a choice: one, or several merged inline.
  package typealias Choice = [Int]

  package enum Step: CaseIterable {
    case double, odd, twice, scan, skipRepeats, take, window, startWith, group
    case withLatest, sample, takeUntil, skipUntil, replacement, bufferOn, mergeWith, concatWith
    case startLatest, startConcat, startMerge, startFirst, `catch`, then, ifEmpty
  }

  package private(set) var signals: [Signal] = []
  /// The other signals that the step of a signal names; the inner ones where it has several.
  package private(set) var others: [Choice] = []
  /// The maximum number of values of a signal in a turn.
  private var most: [Int] = []
  /// The signals in the order of the file.
  package private(set) var order: [Int] = []
  /// A signal that sends to an input in turns of its own.
  package private(set) var feedback: (from: Int, to: Int)?

  package init(count: Int, using random: inout some RandomNumberGenerator) {
    for _ in 0..<3 { add(.input, nil, &random) }
    add(.property(5), nil, &random)
    while signals.count < count {
      let source = Self.source(below: signals.count, &random)
      let step = Bool.random(using: &random) ? Step.allCases.randomElement(using: &random) : nil
      add(source, step, &random)
    }
    order = signals.indices.shuffled(using: &random)
    if Bool.random(using: &random) { feedback = (Int.random(in: 4..<count, using: &random), 0) }
  }

  private mutating func add(_ source: Source, _ step: Step?, _ random: inout some RandomNumberGenerator) {
    let other = signals.isEmpty ? [0] : Self.choice(below: signals.count, &random)
    let made = (step == .twice ? 2 : 1) * (most(of: source) + (step.map(Self.passesOn) == true ? most(of: other) : 0))
    // A graph can produce exponentially many values; this test is about their order.
    guard made <= 12 else { return }
    signals.append(Signal(source: source, step: step, isHeld: Int.random(in: 0..<3, using: &random) == 0))
    others.append(other)
    most.append(made)
  }

  private func most(of choice: Choice) -> Int { choice.reduce(0) { $0 + most[$1] } }

  private func most(of source: Source) -> Int {
    switch source {
    case .input, .property: 1
    case .from(let one): most[one]
    case .merge(let all), .combine(let all, eachEvent: true): all.reduce(0) { $0 + most[$1] }
    case .combine, .combineLast: 1
    case .zip(let all): all.map { most[$0] }.max() ?? 1
    case .concat(let all), .race(let all): all.map { most[$0] }.max() ?? 1
    case .choose(let on, let cases, let otherwise):
      most[on] * ((cases + (otherwise.map { [$0] } ?? [])).map { most(of: $0) }.max() ?? 1)
    case .ifElse(let condition, let then, let otherwise):
      most[condition] * max(most(of: then), most(of: otherwise))
    }
  }

  private static func passesOn(_ step: Step) -> Bool {
    switch step {
    case .sample, .mergeWith, .replacement, .startMerge: true
    default: false
    }
  }

  private static func source(below count: Int, _ random: inout some RandomNumberGenerator) -> Source {
    func one() -> Int { Int.random(in: 0..<count, using: &random) }
    func choice() -> Choice { Self.choice(below: count, &random) }
    func some() -> [Int] { (0..<Int.random(in: 1...3, using: &random)).map { _ in one() } }
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return .merge(some())
    case 1: return .combine(some(), eachEvent: true)
    case 2, 3: return .combine(some(), eachEvent: false)
    case 4: return .zip(some())
    case 5: return .concat(some())
    case 6: return .race(some())
    case 7: return .combineLast(some())
    case 8: return .choose(on: one(), cases: [choice(), choice()], otherwise: choice())
    case 9: return .choose(on: one(), cases: [choice(), choice()], otherwise: nil)
    case 10: return .ifElse(one(), then: choice(), otherwise: choice())
    default: return .from(one())
    }
  }

  private static func choice(below count: Int, _ random: inout some RandomNumberGenerator) -> Choice {
    (0..<Int.random(in: 1...2, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) }
  }
}

// MARK: - YAML

extension RandomGraph {
  /// The signals of the graph, in YAML.
  package var yaml: String {
    var lines = order.map { "s\($0): \(declaration(of: $0))" }
    if let feedback {
      lines.append(
        "back: {from: s\(feedback.from), pipe: [{filter: . > 500}, {take: 20}, {map: . - 400}, {send_to: s\(feedback.to)}]}"
      )
    }
    return lines.joined(separator: "\n")
  }

  private func declaration(of index: Int) -> String {
    let signal = signals[index]
    let (source, made) = text(of: signal.source)
    let pipe = ([made] + (signal.step.map { [text(of: $0, others[index])] } ?? [])).filter { !$0.isEmpty }
    return "{\(source), pipe: [\(pipe.joined(separator: ", "))], hold: \(signal.isHeld)}"
  }

  /// Returns the source, and the expression that makes a number of its values.
  private func text(of source: Source) -> (String, String) {
    func list(_ all: [Int]) -> String { "[\(all.map { "s\($0)" }.joined(separator: ", "))]" }
    let sum = "{map: add % 1000}"
    switch source {
    case .input: return ("input: {endable: true}", "")
    case .property(let initial): return ("property: {initial: \(initial), endable: true}", "")
    case .from(let one): return ("from: s\(one)", "")
    case .merge(let all): return ("merge: \(list(all))", "")
    case .combine(let all, let eachEvent): return ("combine: \(list(all)), emit: \(eachEvent ? "event" : "turn")", sum)
    case .zip(let all): return ("zip: \(list(all))", sum)
    case .concat(let all): return ("concat: \(list(all))", "")
    case .race(let all): return ("race: \(list(all))", "")
    case .combineLast(let all): return ("combine_last: \(list(all))", sum)
    case .choose(let on, let cases, let otherwise):
      let rest = otherwise.map { "default: \(choice($0))" } ?? "unmatched: ignore"
      let listed = "{0: \(choice(cases[0])), 1: \(choice(cases[1]))}"
      return ("switch: {on: {from: s\(on), pipe: [{map: . % 3}]}, cases: \(listed), \(rest)}", "")
    case .ifElse(let condition, let then, let otherwise):
      return (
        "if: {condition: {from: s\(condition), pipe: [{map: . % 2 == 1}]}, then: \(choice(then)), else: \(choice(otherwise))}",
        ""
      )
    }
  }

  private func choice(_ choice: Choice) -> String {
    choice.count == 1 ? "s\(choice[0])" : "{merge: [\(choice.map { "s\($0)" }.joined(separator: ", "))]}"
  }

  private func text(of step: Step, _ others: Choice) -> String {
    let other = "s\(others[0])"
    let started = "{from: \(choice(others)), pipe: [{map: (. + $value) % 1000}"
    return switch step {
    case .double: "{map: . * 2 % 1000}"
    case .odd: "{filter: . % 2 == 1}"
    case .twice: "{map: '., . + 1'}"
    case .scan: "{scan: {initial: 0, next: ($state + .) % 1000}}"
    case .skipRepeats: "{skip_repeats: {by: . % 4}}"
    case .take: "{take: 5}"
    case .window: "{window: {count: 3}}, {map: add % 1000}"
    case .startWith: "{start_with: [1, 2]}"
    case .group:
      "{group_by: {key: . % 3, max_keys: 9, pipe: [{map: . + $key}, {scan: {initial: 0, next: ($state + .) % 1000}}]}}"
    case .withLatest: "{with_latest: \(other)}, {map: add % 1000}"
    case .sample: "{sample: {on: \(other)}}"
    case .takeUntil: "{take_until: {signal: {from: \(other), pipe: [{filter: . % 7 == 1}]}}}"
    case .skipUntil: "{skip_until: {signal: \(other)}}"
    case .replacement: "{take_until_replacement: {from: \(other), pipe: [{filter: . % 5 == 1}]}}"
    case .bufferOn: "{buffer: {on: \(other)}}, {map: add % 1000}"
    case .mergeWith: "{merge: \(other)}"
    case .concatWith: "{concat: \(other)}"
    case .startLatest: "{flat_map: {latest: \(started), {take: 2}]}}}"
    case .startConcat: "{flat_map: {concat: \(started), {take: 2}]}}}"
    case .startMerge: "{flat_map: {merge: \(started), {take: 1}]}}}"
    case .startFirst: "{flat_map: {first: \(started), {take: 2}]}}}"
    case .catch: "{catch: \(other)}"
    case .then: "{then: \(other)}"
    case .ifEmpty: "{switch_if_empty: \(other)}"
    }
  }
}
