/// The source that a test or a recording replaces under the signal's name.
package enum ReplacedSource {
  /// The signal's own source, or the only program or file declared inside it.
  case source(any PreparedSource)
  /// Ambiguous: there are several programs and files.
  case several([any PreparedSource])
  /// All events follow from other signals.
  case computed

  package var source: (any PreparedSource)? {
    if case .source(let source) = self { source } else { nil }
  }
}

extension SignalDeclaration {
  /// The source that external input replaces: for a composite source, the only program or file inside it.
  package var replacedSource: ReplacedSource {
    if body.source.references.isEmpty { return .source(body.source) }
    let outside = body.outsideSources
    switch outside.count {
    case 0: return upstream.isEmpty ? .source(body.source) : .computed
    case 1: return .source(outside[0])
    default: return .several(outside)
    }
  }

  /// True when all events originate in the graphs: from other signals, or from the time alone.
  package var isMadeWithin: Bool {
    if !body.calls.isEmpty { return false }
    return switch replacedSource {
    case .computed: true
    case .several: false
    case .source(let source): !source.takesValues && source.kind != .action && body.outsideSources.isEmpty
    }
  }

  /// The reason for rejecting external input, as a sentence that begins with the name; `nil` if it is accepted.
  ///
  /// - Parameter name: The full or local name; other signals are named in the same way.
  package func refusalToReplace(as name: String, advice: String) -> String? {
    switch replacedSource {
    case .source: return nil
    case .several(let sources):
      return "\(name) has several sources, \(sources.map(\.name).joined(separator: ", ")): "
        + "declare each as a named signal, and stub that"
    case .computed:
      let graph = SignalName.graph(of: self.name) + "."
      let isShort = !name.contains(".")
      let inputs = upstream.map { isShort && $0.hasPrefix(graph) ? String($0.dropFirst(graph.count)) : $0 }
      return "\(name) is computed from \(inputs.joined(separator: ", "))\(advice)"
    }
  }
}
