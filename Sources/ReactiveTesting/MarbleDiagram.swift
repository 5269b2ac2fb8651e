/// A stream drawn as text, in columns one tick apart.
///
///     -a-(bc)-|      nothing, a, nothing, b and c in one column, nothing, completed
///     ab#            a, b, failed
///     --!            interrupted in the third column
///
/// `-` is a column without an event, a letter or digit a value, `(…)` several events in one column, `|` completed, `#`
/// failed, `!` interrupted. Blanks are ignored.
public struct MarbleDiagram: Hashable, Sendable {
  /// The sign of an event.
  public enum Mark: Hashable, Sendable {
    /// A value, by its letter or digit.
    case value(Character)
    /// `#`
    case failed
    /// `|`
    case completed
    /// `!`
    case interrupted

    /// True if nothing can follow.
    public var isEnding: Bool {
      if case .value = self { false } else { true }
    }
  }

  /// The events of each column, in order; an empty column is a tick without an event.
  public var columns: [[Mark]]

  /// A diagram by its columns.
  public init(columns: [[Mark]]) { self.columns = columns }

  /// A diagram from its text.
  public init(parsing text: String) throws(MarbleError) {
    var parser = MarbleParser(text)
    columns = try parser.parse()
  }

  /// The events with the number of their column, from 0.
  public var marks: [(column: Int, mark: Mark)] {
    columns.enumerated().flatMap { column, marks in marks.map { (column, $0) } }
  }
}

extension MarbleDiagram: CustomStringConvertible {
  /// The text of the diagram, without blanks; parsing it yields an equal diagram.
  public var description: String { columns.map(MarbleDiagram.text).joined() }

  /// The text of one column.
  static func text(of marks: [Mark]) -> String {
    switch marks.count {
    case 0: "-"
    case 1: String(marks[0].sign)
    default: "(" + String(marks.map(\.sign)) + ")"
    }
  }
}

extension MarbleDiagram.Mark {
  /// The sign of the event.
  public var sign: Character {
    switch self {
    case .value(let character): character
    case .failed: "#"
    case .completed: "|"
    case .interrupted: "!"
    }
  }
}
