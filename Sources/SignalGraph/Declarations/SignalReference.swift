/// A signal as another one names it: by its name, or declared on the spot.
struct SignalReference: Sendable {
  indirect enum Target: Sendable {
    /// The full name, `graph.signal`.
    case named(String)
    case inline(SignalBody)
  }

  let target: Target
  let place: Extent
  /// Where it stands in the declaration of its signal: see `Ranks`.
  let index: Int

  /// The named signals that it needs, its own inline ones' included.
  var names: [(name: String, place: Extent)] {
    switch target {
    case .named(let name): [(name, place)]
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

/// Where a source or an operator stands in the declaration of its signal, counted from its beginning.
///
/// What it is computed from stands before `exit`, what its parameters name between `entry` and `exit`.
struct Ranks: Sendable {
  let entry: Int
  let exit: Int
}
