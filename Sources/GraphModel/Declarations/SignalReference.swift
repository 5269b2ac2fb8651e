/// A reference to a signal, by name or declared inline.
package struct SignalReference: Sendable {
  package enum Target: Sendable {
    /// The full name, `graph.signal`.
    case named(String)
    indirect case inline(SignalBody)
  }

  package let target: Target
  /// Its place in the declaration of its signal: see `Ranks`.
  package let index: Int

  package init(target: Target, index: Int) {
    self.target = target
    self.index = index
  }

  package var isNamed: Bool {
    if case .named = target { true } else { false }
  }

  /// The named signals that it needs, those of inline declarations included.
  package var names: [String] {
    switch target {
    case .named(let name): [name]
    case .inline(let body): body.references.flatMap(\.names)
    }
  }
}

/// Several signals, as a list or as a map with a label for each.
package struct SignalList: Sendable {
  package let references: [SignalReference]
  /// The labels in the order of `references`; `nil` for a list.
  package let labels: [String]?
}

/// The place of a source or an operator in its signal's declaration, counted from the beginning.
///
/// Its inputs are before `exit`, the signals that its parameters name between `entry` and `exit`.
package struct Ranks: Sendable {
  private let numbers: (entry: UInt32, exit: UInt32)

  package init(entry: Int, exit: Int) { numbers = (UInt32(entry), UInt32(exit)) }

  package var entry: Int { Int(numbers.entry) }
  package var exit: Int { Int(numbers.exit) }
}
