import GraphModel
import GraphTools

/// The signals with expectations in a generated test.
struct WatchedSignals {
  private let patterns: [HistoryTest.Pattern]
  private let configuration: Configuration
  /// The only durable graph, if the request contains no patterns.
  private let onlyGraph: String?

  /// - Throws: A refusal if a pattern matches nothing, or if there is no pattern but several graphs.
  init(_ patterns: [HistoryTest.Pattern], _ configuration: Configuration) throws(HistoryTest.Refusal) {
    (self.patterns, self.configuration) = (patterns, configuration)
    let graphs = configuration.graphs.filter { $0.durability != nil }.map(\.name)
    onlyGraph = patterns.isEmpty ? graphs.first : nil
    if patterns.isEmpty, graphs.count != 1 {
      throw .vague("there are \(graphs.count) durable graphs, \(graphs.joined(separator: ", ")): name its signals")
    }
    let visible = Self.signals(of: configuration)
    for pattern in patterns where !visible.contains(where: { Self.covers(pattern, $0) }) {
      throw .unknown(pattern.text, among: visible.filter { !$0.traits.isPrivate }.map(\.name))
    }
  }

  private static func signals(of configuration: Configuration) -> [SignalDeclaration] {
    configuration.graphs.flatMap(\.signals).filter(\.isDurable)
  }

  /// Matches private signals only by their full name.
  private static func covers(_ pattern: HistoryTest.Pattern, _ signal: SignalDeclaration) -> Bool {
    pattern.matches(signal.name) && (pattern.isName || !signal.traits.isPrivate)
  }

  /// Returns the names in the order of the file: signals given by name, and matching ones with events that do not just
  /// repeat their input.
  func names(in span: RecordedSpan) -> [String] {
    let emitters = Set(span.emissions.map(\.signal))
    return Self.signals(of: configuration).filter { signal in
      if patterns.contains(where: { $0.isName && $0.matches(signal.name) }) { return true }
      guard isCovered(signal), emitters.contains(signal.name), signal.traits.run == .always else { return false }
      switch span.roles[signal.name] {
      case .input: return !signal.isUnpipedInput
      case .computed: return true
      case .stub, .clock, nil: return false
      }
    }.map(\.name)
  }

  private func isCovered(_ signal: SignalDeclaration) -> Bool {
    if let onlyGraph { return !signal.traits.isPrivate && signal.name.hasPrefix(onlyGraph + ".") }
    return patterns.contains { Self.covers($0, signal) }
  }
}
