import Signals

/// The expected and the actual events, as diagrams one below the other.
///
///     expected  --b---c|
///     actual    -a----c|
///               ^
public struct MarbleDifference: CustomStringConvertible, Equatable, Sendable {
  /// The expected events.
  public let expected: String

  /// The actual events, in the same notation.
  public let actual: String

  /// Values that the diagram has no letter for, as `key = value`.
  public let legend: [String]

  /// Compares; nil without a difference.
  init?<Value: Equatable>(
    expected: MarbleDiagram, _ entries: [Recorder<Value, MarbleFailure>.Entry], _ tick: Duration,
    _ value: (Character) -> Value
  ) {
    var letters = MarbleLetters(expected, value)
    var columns: [[MarbleDiagram.Mark]] = []
    var stray: [String] = []
    for entry in entries {
      let elapsed = entry.date - Instant.zero
      let column = Int(elapsed / tick)
      let mark = letters.mark(for: entry.event)
      if tick * column != elapsed { stray.append("\(mark.sign) came at \(elapsed), between two columns") }
      while columns.count <= column { columns.append([]) }
      columns[column].append(mark)
    }
    let drawn = MarbleDiagram(columns: columns)
    guard drawn.trimmed != expected.trimmed || !stray.isEmpty else { return nil }
    self.expected = expected.description
    actual = drawn.padded(to: expected.columns.count).description
    legend = letters.legend + stray
  }

  /// Both diagrams, a sign below the first difference, and the values that have no letter.
  public var description: String {
    let same = zip(expected, actual).prefix { $0 == $1 }.count
    let sign = String(repeating: " ", count: 10 + same) + "^"
    return (["expected  " + expected, "actual    " + actual, sign] + legend).joined(separator: "\n")
  }
}

extension MarbleDiagram {
  /// The diagram without the empty columns at its end.
  fileprivate var trimmed: MarbleDiagram {
    MarbleDiagram(columns: Array(columns.prefix((columns.lastIndex { !$0.isEmpty } ?? -1) + 1)))
  }

  fileprivate func padded(to count: Int) -> MarbleDiagram {
    MarbleDiagram(columns: columns + Array(repeating: [], count: max(0, count - columns.count)))
  }
}
