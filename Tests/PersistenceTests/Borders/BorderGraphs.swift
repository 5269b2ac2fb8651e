import TestSupport

/// Three graphs that subscribe to each other, each durable or not; every signal only repeats its sources.
struct BorderGraphs: CustomStringConvertible {
  enum Source: Equatable {
    case input
    /// Emits some values by itself, and then ends.
    case ticks
    case from(String)
    case merge([String])
  }

  enum Trait: String, CaseIterable {
    case none = ""
    case replay = ", replay: 9"
    case lazy = ", lazy: true"
    case cold = ", cold: true"
  }

  struct Signal: Equatable {
    let name: String
    var source: Source
    var trait = Trait.none

    var heard: [String] {
      switch source {
      case .input, .ticks: []
      case .from(let name): [name]
      case .merge(let names): names
      }
    }
  }

  static let graphs = ["k", "m", "n"]
  static let inputs = ["k.a", "m.b", "n.c"]
  /// Computed signals; each may depend on those before it.
  private static let computed = ["k.s0", "m.s1", "n.s2", "k.s3", "m.s4", "n.s5"]
  static var names: [String] { inputs + ["n.t"] + computed }

  private(set) var isDurable: [Bool]
  private(set) var signals: [Signal]

  init(_ random: inout SplitMix) {
    isDurable = Self.graphs.map { _ in Bool.random(using: &random) }
    signals = Self.inputs.map { Signal(name: $0, source: .input) } + [Signal(name: "n.t", source: .ticks)]
    for name in Self.computed { signals.append(Self.signal(name, among: signals, &random)) }
  }

  private static func signal(_ name: String, among earlier: [Signal], _ random: inout SplitMix) -> Signal {
    let names = earlier.map(\.name).shuffled(using: &random)
    let source = Bool.random(using: &random) ? Source.from(names[0]) : .merge(Array(names.prefix(2)))
    return Signal(name: name, source: source, trait: Trait.allCases.randomElement(using: &random) ?? .none)
  }

  subscript(name: String) -> Signal? { signals.first { $0.name == name } }

  /// Returns graphs that differ in durability, and possibly in a signal.
  func changed(_ random: inout SplitMix) -> BorderGraphs {
    var other = self
    switch Int.random(in: 0...3, using: &random) {
    case 0: other.isDurable.append(other.isDurable.removeFirst())
    case 1: other.isDurable[Int.random(in: 0...2, using: &random)].toggle()
    default: break
    }
    guard Bool.random(using: &random), let name = Self.computed.randomElement(using: &random) else { return other }
    if let index = other.signals.firstIndex(where: { $0.name == name }) {
      let isHeard = other.signals.contains { $0.heard.contains(name) }
      if !isHeard, Bool.random(using: &random) {
        other.signals.remove(at: index)
      } else {
        other.signals[index] = Self.signal(name, among: Array(other.signals[..<index]), &random)
      }
    } else {
      let earlier = other.signals.filter { Self.place(of: $0.name) < Self.place(of: name) }
      other.signals.insert(Self.signal(name, among: earlier, &random), at: earlier.count)
    }
    return other
  }

  private static func place(of name: String) -> Int { names.firstIndex(of: name) ?? 0 }

  /// Returns the number of paths from one signal to another that do not lead through any of the signals that are over.
  func ways(from source: String, to name: String, without over: Set<String>) -> Int {
    if over.contains(name) { return 0 }
    if name == source { return 1 }
    return (self[name]?.heard ?? []).reduce(0) { $0 + ways(from: source, to: $1, without: over) }
  }

  /// Returns the dependents of a signal.
  func dependents(of name: String) -> [Signal] { signals.filter { $0.heard.contains(name) } }

  var yaml: String {
    zip(Self.graphs, isDurable).map { graph, isDurable in
      let lines = signals.filter { $0.name.hasPrefix(graph) }.map { "    \($0.yaml)\n" }.joined()
      return "\(graph):\n\(isDurable ? "  durable: true\n" : "")  signals:\n\(lines)"
    }.joined()
  }

  var description: String { yaml }
}

extension BorderGraphs.Signal {
  fileprivate var yaml: String {
    let head =
      switch source {
      case .input: "input: {endable: true}"
      case .ticks: "interval: 10ms, pipe: [{take: 3}]"
      case .from(let name): "from: \(name)"
      case .merge(let names): "merge: [\(names.joined(separator: ", "))]"
      }
    return "\(name.dropFirst(2)): {\(head)\(trait.rawValue)}"
  }
}
