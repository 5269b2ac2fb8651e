import Base
import GraphModel
import JSON

/// The expected and the actual events, drawn as aligned diagrams.
///
/// Long diagrams are reduced to the columns around the first difference.
struct MarbleDrawing {
  private(set) var lines: [MarkedText]

  private static let mostColumns = 100
  private static let columnsBefore = 60
  private static let columnsBehind = 5

  init(_ expected: [ExpectedEvent], _ found: [EventRecord.Entry], _ test: GraphTest, around time: Duration) {
    let times = [test.tick] + expected.map(\.time) + found.map(\.time)
    let tick = times.reduce(.zero, Duration.greatestCommonDivisor)
    let count = Int(test.end / tick) + 1
    let window = Self.window(of: count, around: Int(time / tick), Set(times.dropFirst().map { Int($0 / tick) }))
    var letters = DrawnLetters(test.letters, test.tolerance)
    let upper = Self.draw(expected.map { (Int($0.time / tick), letters.sign(of: $0.event)) }, window, of: count)
    let lower = Self.draw(found.map { (Int($0.time / tick), letters.sign(of: $0.event)) }, window, of: count)
    let same = zip(upper, lower).prefix { $0 == $1 }.count
    lines = [
      "expected  " + MarkedText(upper, .success), "actual    " + MarkedText(lower, .error),
      MarkedText(String(repeating: " ", count: 10 + same) + "^", .error),
    ]
    lines += letters.legend(of: upper + lower).map { MarkedText($0, .aside) }
    if tick != test.tick { lines.append(MarkedText("a column is \(DurationText.written(tick))", .aside)) }
  }

  /// Returns the columns to draw: all, or those from before a given column to the last one with content.
  private static func window(of count: Int, around column: Int, _ filled: Set<Int>) -> Range<Int> {
    guard count > mostColumns else { return 0..<count }
    let start = max(0, min(column - columnsBefore, count - mostColumns))
    let last = filled.filter { $0 < start + mostColumns }.max() ?? column
    return start..<min(count, last + columnsBehind)
  }

  private static func draw(_ signs: [(column: Int, sign: Character)], _ window: Range<Int>, of count: Int) -> String {
    var columns: [Int: [Character]] = [:]
    for (column, sign) in signs { columns[column, default: []].append(sign) }
    let drawn = window.map { column in
      let signs = columns[column] ?? []
      return signs.isEmpty ? "-" : signs.count == 1 ? String(signs) : "(\(String(signs)))"
    }
    return (window.lowerBound > 0 ? "…" : "") + drawn.joined() + (window.upperBound < count ? "…" : "")
  }
}

/// Assigns a letter to each value: that of the diagrams, else a free one.
private struct DrawnLetters {
  private let values: MarbleValues
  private var given: [Character: JSONValue] = [:]
  /// The letters that occur in no diagram.
  private var added: [(letter: Character, value: JSONValue)] = []

  private let tolerance: Tolerance

  init(_ values: MarbleValues, _ tolerance: Tolerance) {
    self.values = values
    self.tolerance = tolerance
  }

  mutating func sign(of event: ExpectedEvent.Outcome) -> Character {
    switch event {
    case .value(let value): letter(for: value)
    case .completed: "|"
    case .failed: "#"
    case .interrupted: "!"
    }
  }

  mutating func sign(of event: SignalEvent) -> Character {
    switch event {
    case .next(let payload, _): letter(for: payload.value)
    case .ended(.completed): "|"
    case .ended(.failed): "#"
    case .ended(.interrupted): "!"
    }
  }

  private mutating func letter(for value: JSONValue) -> Character {
    if let letter = given.first(where: { tolerance.admits(value, for: $0.value) })?.key { return letter }
    if let letter = values.letter(for: value), given[letter] == nil {
      given[letter] = value
      return letter
    }
    let free = "ABCDEGHIJKLMNOPQRSTUVWXYZ".first { given[$0] == nil && !values.has($0) } ?? "?"
    if free != "?" { given[free] = value }
    added.append((free, value))
    return free
  }

  /// Returns the values of the letters in a drawing that the test does not define.
  func legend(of drawing: String) -> [String] {
    added.filter { drawing.contains($0.letter) }.map { "\($0.letter) = \($0.value.shown)" }
  }
}

extension Duration {
  /// Returns the greatest duration that divides both.
  static func greatestCommonDivisor(_ left: Duration, _ right: Duration) -> Duration {
    var (left, right) = (left.wholeNanoseconds, right.wholeNanoseconds)
    while right != 0 { (left, right) = (right, left % right) }
    return .nanoseconds(left)
  }

  private var wholeNanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
