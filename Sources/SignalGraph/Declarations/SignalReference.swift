/// A signal as another one names it: by its name, or declared on the spot.
indirect enum SignalReference: Sendable {
  /// The full name, `graph.signal`, and where it stands.
  case named(String, at: ConfigNode)
  case inline(SignalBody)

  /// The named signals that it needs, its own inline ones' included.
  var names: [(name: String, node: ConfigNode)] {
    switch self {
    case .named(let name, let node): [(name, node)]
    case .inline(let body): body.references.flatMap(\.names)
    }
  }
}

/// Several signals, as a list or as a map with a label for each.
struct SignalList: Sendable {
  let references: [SignalReference]
  /// In the order of `references`, for a map.
  let labels: [String]?
}
