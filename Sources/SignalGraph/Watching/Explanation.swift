package import JSON
package import ReactiveCore

/// How a value of a signal came about, newest first.
package struct Explanation {
  package let value: Node
  /// The entries that it takes to get the same value again, from where the graphs were worked out, oldest first.
  package var needed: [Int] = []
  /// How many entries there were up to it.
  package let entries: Int
  /// Which of the events of its entry it is.
  let occurrence: Occurrence?

  init(value: Node, entries: Int, occurrence: Occurrence?) {
    (self.value, self.entries, self.occurrence) = (value, entries, occurrence)
  }

  /// That of a value which came about when the graphs began, as the entry 0.
  package init(
    startOf signal: String, _ event: SignalEvent, microseconds: Int64, _ declarations: DeclarationsInView
  ) {
    var node = Node(
      subject: .signal, signal: signal, place: declarations.place(of: signal), event: event, instant: .zero,
      microseconds: microseconds)
    node.given = [Node(subject: .entry(0), signal: "", instant: .zero, microseconds: microseconds)]
    self.init(value: node, entries: 0, occurrence: nil)
  }

  /// The entries that the tree tells of.
  package var mentionedEntries: Set<Int> {
    var entries: Set<Int> = []
    var open = [value]
    while let node = open.popLast() {
      if case .entry(let entry) = node.subject { entries.insert(entry) }
      open += node.given + node.read.compactMap(\.origin)
    }
    return entries
  }

  /// Something that led to it.
  package struct Node {
    package enum Subject {
      /// A named signal told its listeners an event.
      case signal
      /// A source or an operator put an event out.
      case step(String)
      /// Something entered: the number of the entry.
      case entry(Int)
      /// A timer ran.
      case timer
      /// A pipe sent a value to the signal.
      case sent
      /// What is known of it is older than all that was worked out again.
      case unknown
    }

    package let subject: Subject
    package let signal: String
    /// The place of its declaration, as far as that is known.
    package internal(set) var place: DeclarationPlace?
    package internal(set) var event: SignalEvent?
    package let instant: Instant
    /// Since 1970.
    package let microseconds: Int64
    /// The things that it was given at that moment.
    package internal(set) var given: [Node] = []
    /// The things that were read for it besides.
    package internal(set) var read: [Read] = []
    /// Whether it is told elsewhere in the tree.
    package internal(set) var isRepeated = false
    /// Whether more led to it, which is not told.
    package internal(set) var isCut = false
    /// Whether the tree is too large for what led to it.
    package internal(set) var isShortened = false
  }

  /// Something that an operator remembered.
  package struct Read {
    package enum Role {
      /// A value in its memory.
      case remembered
      /// The value that had chosen what it listens to.
      case chosen
    }

    package let role: Role
    package let value: JSONValue
    /// The way in which that came, as far as it is known.
    package let origin: Node?
  }
}
