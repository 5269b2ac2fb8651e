import TestSupport

/// A signal declared by a storm.
struct StormSignal: Equatable {
  enum Source: Equatable {
    case input
    case property(Int)
    case from(String)
    case merge([String])
    case combine([String])
    /// One of two inputs, chosen by even and odd values.
    case choice(on: String, [String])
  }

  enum Step: Equatable {
    case none
    case add(Int)
    case scan
  }

  enum Trait: String, CaseIterable {
    case none = ""
    case hold = ", hold: true"
    case replay = ", replay: 3"
    case lazy = ", lazy: true"
    case lazyReplay = ", lazy: true, replay: 3"
    case cold = ", cold: true"

    var isLazy: Bool { self == .lazy || self == .lazyReplay }
    var isCold: Bool { self == .cold }
  }

  var name: String
  var source: Source
  var step = Step.none
  var trait = Trait.none
  var isPrivate = false

  /// The signals that it is computed from.
  var upstream: [String] {
    switch source {
    case .input, .property: []
    case .from(let name): [name]
    case .merge(let names), .combine(let names): names
    case .choice(let name, let choices): [name] + choices
    }
  }

  /// Those of them that it subscribes to at its start.
  var heard: [String] { if case .choice(let name, _) = source { [name] } else { upstream } }

  /// The number of values for new subscribers.
  var retains: Int {
    switch trait {
    case .replay, .lazyReplay: 3
    case .hold: 1
    default: if case .property = source { 1 } else { 0 }
    }
  }

  /// True if a reload keeps one in place of the other, judged by themselves.
  func isKept(from other: StormSignal) -> Bool {
    var same = other
    same.isPrivate = isPrivate
    return self == same
  }

  var yaml: String {
    var pipe: [String] = []
    let head =
      switch source {
      case .input: "input: {endable: true}"
      case .property(let initial): "property: {initial: \(initial)}"
      case .from(let name): "from: \(name)"
      case .merge(let names): "merge: [\(names.joined(separator: ", "))]"
      case .combine(let names): "combine: [\(names.joined(separator: ", "))]"
      case .choice(let name, let choices):
        "if: {condition: {from: \(name), pipe: [{map: . % 2 == 0}]}, then: \(choices[0]), else: \(choices[1])}"
      }
    if case .combine = source { pipe.append("{map: add}") }
    switch step {
    case .none: break
    case .add(let number): pipe.append("{map: . + \(number)}")
    case .scan: pipe.append("{scan: {initial: 0, next: $state + .}}")
    }
    let steps = pipe.isEmpty ? "" : ", pipe: [\(pipe.joined(separator: ", "))]"
    return "\(name): {\(head)\(steps)\(trait.rawValue)\(isPrivate ? ", private: true" : "")}"
  }
}

/// A storm's configuration: a graph `g`, and beside it noisy signals that count only by their traces.
struct StormGraph {
  static let inputs = ["a", "b", "p"]
  private static let computed = (0..<6).map { "s\($0)" }
  /// The strategies of signals that call the action, each used by a noisy signal.
  static let strategies = [
    "strategy: concat, limit: 3, overflow: drop_oldest", "strategy: latest", "strategy: first",
    "strategy: merge, concurrent: 2, limit: 3, overflow: drop_newest",
  ]
  /// The strategies whose values are each called for or counted as dropped.
  static let counting = [0, 3]

  var signals: [StormSignal] = []
  /// The traits of the noisy signals, by their numbers; an action exists or not.
  var noise: [Int: StormSignal.Trait] = [:]
  var hasAction = false
  /// True if the action's program stays from one call to the next.
  var isActionKept = false

  static let plain = StormGraph(signals: [
    StormSignal(name: "a", source: .input), StormSignal(name: "b", source: .input),
    StormSignal(name: "p", source: .property(5)),
  ])

  /// The inputs, and all calling signals.
  static let calling = StormGraph(
    signals: plain.signals, noise: Dictionary(uniqueKeysWithValues: (5..<9).map { ($0, .none) }), hasAction: true)

  /// The signals that are noisy now: without an action nothing calls it.
  var noisy: [(number: Int, trait: StormSignal.Trait)] {
    noise.sorted { $0.key < $1.key }.filter { $0.key < 5 || hasAction }.map { ($0.key, $0.value) }
  }

  /// A graph that differs from this one in a few signals.
  func changed(_ random: inout SplitMix) -> StormGraph {
    var graph = self
    var byName = Dictionary(uniqueKeysWithValues: signals.map { ($0.name, $0) })
    for _ in 0..<random.number(1...3) {
      let name = random.one(of: Self.inputs + Self.computed + Self.computed)
      byName[name] = Self.another(name, byName[name], before: byName, &random)
    }
    graph.signals = []
    var known: [String] = []
    for name in Self.inputs + Self.computed {
      guard var signal = byName[name] else { continue }
      if !signal.upstream.allSatisfy(known.contains) { signal.source = Self.source(of: known, &random) }
      graph.signals.append(signal)
      known.append(name)
    }
    let number = random.number(0...8)
    graph.noise[number] = random.number(0...2) == 0 ? nil : random.one(of: [StormSignal.Trait.none, .lazy, .cold])
    if random.number(0...3) == 0 { graph.hasAction.toggle() }
    if random.number(0...3) == 0 { graph.isActionKept.toggle() }
    return graph
  }

  private static func another(
    _ name: String, _ before: StormSignal?, before known: [String: StormSignal], _ random: inout SplitMix
  ) -> StormSignal? {
    if var signal = before, random.number(0...3) == 0 {
      signal.isPrivate.toggle()
      return signal
    }
    if inputs.contains(name) {
      guard var signal = before else { return nil }
      signal.trait = random.one(of: [.none, .hold, .replay])
      if name == "p" { signal.source = .property(random.number(0...9)) }
      return signal
    }
    if var signal = before, random.number(0...1) == 0 {
      signal.trait = random.one(of: StormSignal.Trait.allCases)
      return signal
    }
    if before != nil, random.number(0...2) == 0 { return nil }
    let earlier = (inputs + computed).filter { $0 < name && known[$0] != nil }
    return StormSignal(
      name: name, source: source(of: earlier, &random),
      step: random.one(of: [.none, .add(random.number(1...9)), .scan]),
      trait: random.one(of: StormSignal.Trait.allCases), isPrivate: random.number(0...9) == 0)
  }

  private static func source(of names: [String], _ random: inout SplitMix) -> StormSignal.Source {
    let several = (0..<random.number(2...3)).map { _ in random.one(of: names) }
    let choices = (0..<2).map { _ in random.one(of: names.filter(inputs.contains)) }
    return random.one(of: [
      .from(several[0]), .merge(several), .combine(several), .choice(on: several[0], choices),
    ])
  }

  /// The configuration's graphs; noisy signals follow files in a folder.
  func yaml(_ folder: String) -> String {
    let sources =
      [
        "interval: 20ms", "exec: [sleep, \"1000\"]", "tail: \(folder)/log", "file: \(folder)/state",
        "from: {interval: 30ms}",
      ] + Self.strategies.map { "from: a, pipe: [{call: {action: act, \($0)}}]" }
    let noisy = noisy.map { number, trait in
      let source = sources[number]
      return "n\(number): {\(source)\(trait.rawValue)}"
    }
    let lines = signals.map(\.yaml) + noisy
    // Each call has an output of its own.
    let program =
      isActionKept
      ? #"{exec: [sh, -c, "while read -r line; do n=$((n+1)); echo $$-$n; done"], keep: true}"#
      : "{exec: [printenv, SIGNALBOX_MESSAGE_ID]}"
    let action = hasAction ? "\n  actions: {act: \(program)}" : ""
    return "g:\n  signals:\n\(lines.map { "    \($0)" }.joined(separator: "\n"))\(action)"
  }
}

extension SplitMix {
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
  mutating func one<Element>(of elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }
}
