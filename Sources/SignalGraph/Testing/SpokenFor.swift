/// The source of a signal that a test or a recording speaks for under the signal's name.
enum SpokenFor {
  /// Its own, or the program or file that is declared within it.
  case source(any PreparedSource)
  /// Several programs and files could be meant.
  case several([any PreparedSource])
  /// All its events follow from other signals.
  case computed

  var source: (any PreparedSource)? {
    if case .source(let source) = self { source } else { nil }
  }
}

extension SignalDeclaration {
  /// If its source is made of others, this is the one program or file among them.
  var spokenFor: SpokenFor {
    if body.source.references.isEmpty { return .source(body.source) }
    let outside = body.outsideSources
    switch outside.count {
    case 0: return upstream.isEmpty ? .source(body.source) : .computed
    case 1: return .source(outside[0])
    default: return .several(outside)
    }
  }

  /// Whether all that it says is made within the graphs: it follows from other signals, or from the time alone.
  package var isMadeWithin: Bool {
    if !body.calls.isEmpty { return false }
    return switch spokenFor {
    case .computed: true
    case .several: false
    case .source(let source): !source.takesValues && source.kind != .action && body.outsideSources.isEmpty
    }
  }

  /// The reason why nothing can speak for it, in a sentence that begins with its name; `nil` if something can.
  ///
  /// - Parameter name: Its full name, or the one that it has in its graph; others are named in the same way.
  func refusalToSpeak(as name: String, advice: String) -> String? {
    switch spokenFor {
    case .source: return nil
    case .several(let sources):
      return "\(name) holds several sources, \(sources.map(\.name).joined(separator: ", ")): "
        + "make each a signal of its own, to be spoken for by its name"
    case .computed:
      let graph = SignalName.graph(of: self.name) + "."
      let isShort = !name.contains(".")
      let inputs = upstream.map { isShort && $0.hasPrefix(graph) ? String($0.dropFirst(graph.count)) : $0 }
      return "\(name) is computed from \(inputs.joined(separator: ", "))\(advice)"
    }
  }
}
