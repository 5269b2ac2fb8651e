package import GraphModel
package import JSON
package import Signals

/// The explanation of a signal's value, newest first.
package struct Explanation {
  package let value: Node
  /// The entries needed to reproduce the value from the replay's initial state, oldest first.
  package var needed: [Int] = []
  /// The number of entries up to the value.
  package let entries: Int
  /// The event's position within its entry.
  let occurrence: RecordReference?

  init(value: Node, entries: Int, occurrence: RecordReference?) {
    (self.value, self.entries, self.occurrence) = (value, entries, occurrence)
  }

  /// Creates the explanation of a value from the start of the graphs, as the entry 0.
  package init(
    startOf signal: String, _ event: SignalEvent, microseconds: Int64, _ declarations: DeclarationsInView
  ) {
    var node = Node(
      subject: .signal, signal: signal, place: declarations.place(of: signal), event: event, instant: .zero,
      microseconds: microseconds)
    node.given = [Node(subject: .entry(0), signal: "", instant: .zero, microseconds: microseconds)]
    self.init(value: node, entries: 0, occurrence: nil)
  }

  /// Returns true if it depends on something from before a replay that has begun at a time.
  ///
  /// - Parameter beginning: In microseconds since 1970.
  package func reaches(before beginning: Int64) -> Bool {
    var open = [value]
    while let node = open.popLast() {
      if case .unknown = node.subject { return true }
      if node.microseconds < beginning || node.read.contains(where: { $0.origin == nil }) { return true }
      open += node.given + node.read.compactMap(\.origin)
    }
    return false
  }

  /// The entries in the tree.
  package var mentionedEntries: Set<Int> {
    var entries: Set<Int> = []
    var open = [value]
    while let node = open.popLast() {
      if case .entry(let entry) = node.subject { entries.insert(entry) }
      open += node.given + node.read.compactMap(\.origin)
    }
    return entries
  }

  /// A cause of the value.
  package struct Node {
    package enum Subject {
      /// An event of a named signal.
      case signal
      /// An output of a source or an operator.
      case step(String)
      /// An input: the number of its entry.
      case entry(Int)
      /// A timer.
      case timer
      /// A value sent by a pipe.
      case sent
      /// The cause is older than the replay.
      case unknown
    }

    package let subject: Subject
    package let signal: String
    /// The place of the declaration, as far as known.
    package internal(set) var place: DeclarationPlace?
    package internal(set) var event: SignalEvent?
    package let instant: Instant
    /// Since 1970.
    package let microseconds: Int64
    /// The direct inputs at that moment.
    package internal(set) var given: [Node] = []
    /// Other values read for the event.
    package internal(set) var read: [Read] = []
    /// True when the causes are elsewhere in the tree.
    package internal(set) var isRepeated = false
    /// True when further causes are omitted.
    package internal(set) var isCut = false
    /// True when the causes exceed the tree's size limit.
    package internal(set) var isShortened = false
  }

  /// A value remembered by an operator.
  package struct Read {
    package enum Role {
      /// A value in its memory.
      case remembered
      /// The value that chose its input.
      case chosen
      /// The value that it called an action for.
      case called
    }

    package let role: Role
    package let value: JSONValue
    /// The value's own cause, as far as known.
    package let origin: Node?
  }
}
