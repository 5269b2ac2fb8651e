internal import GraphEngine
internal import GraphModel

/// A line about what the graphs of a configuration do outside, for `dev`.
struct EffectsText {
  let line: MarkedText

  /// - Returns: `nil` if they do nothing outside.
  init?(_ configuration: Configuration, isDry: Bool) {
    let kinds = Self.kinds(of: configuration)
    guard let last = kinds.last else { return nil }
    let list = kinds.count == 1 ? last : "\(kinds.dropLast().joined(separator: ", ")) and \(last)"
    line =
      isDry
      ? MarkedText("dry run: \(list) are withheld")
      : MarkedText("\(list) are real; --dry-run withholds them", .warning)
  }

  private static func kinds(of configuration: Configuration) -> [String] {
    let signals = configuration.graphs.flatMap(\.signals)
    let hasActions = configuration.graphs.contains { !$0.actions.isEmpty }
    let writes = configuration.outsideNeeds.contains {
      switch $0.need {
      case .writing, .writingBelow: true
      default: false
      }
    }
    let sets = signals.contains { $0.body.source.takesValues && $0.body.source.needs.contains(where: \.isBus) }
    return [
      (hasActions, "calls"), (signals.contains { !$0.publications.isEmpty }, "messages"), (writes, "files"),
      (sets, "properties on buses"),
    ].filter(\.0).map(\.1)
  }
}

extension OutsideNeed {
  fileprivate var isBus: Bool { if case .bus = self { true } else { false } }
}
