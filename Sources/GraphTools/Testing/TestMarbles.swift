import Base
import GraphModel
import JSON
import ReactiveTesting

/// The steps of a draft and their results, as diagrams.
struct TestMarbles {
  private(set) var lines: [String] = []

  private static let mostColumns = 60

  private let tick: Duration
  private let count: Int
  private var letters = GivenLetters()

  /// - Returns: `nil` if the diagrams would be too long or cannot express the test.
  init?(_ draft: TestDraft, _ emissions: [String: [TestDraft.Emission]], _ names: TestNames) {
    let times =
      draft.steps.map(\.time) + emissions.values.flatMap { $0.map(\.time) } + [draft.end] + draft.remarks.map(\.time)
    let tick = times.reduce(.zero, Duration.greatestCommonDivisor)
    self.tick = tick == .zero ? .seconds(1) : tick
    guard DurationText.isWhole(self.tick), draft.end / self.tick < Double(Self.mostColumns) else { return nil }
    count = Int(draft.end / self.tick) + 1
    var given: [(name: String, marks: [(Duration, MarbleDiagram.Mark)])] = []
    for step in draft.steps {
      guard let mark = letters.mark(step.event) else { return nil }
      if let index = given.firstIndex(where: { $0.name == step.signal }) {
        given[index].marks.append((step.time, mark))
      } else {
        given.append((step.signal, [(step.time, mark)]))
      }
    }
    var expected: [(name: String, marks: [(Duration, MarbleDiagram.Mark)])] = []
    for name in draft.watched {
      var marks: [(Duration, MarbleDiagram.Mark)] = []
      for emission in emissions[name] ?? [] {
        guard let mark = letters.mark(emission.event) else { return nil }
        marks.append((emission.time, mark))
      }
      expected.append((name, marks))
    }
    if self.tick != .seconds(1) { lines.append("  tick: \(DurationText.written(self.tick))") }
    if !letters.table.isEmpty {
      let values = letters.table.map { "\($0.letter): \(FlowText.text(of: $0.value))" }
      lines.append("  values: {\(values.joined(separator: ", "))}")
    }
    if let failure = letters.failure, failure != SignalFailure(code: "error", message: "") {
      lines.append("  error: \(FlowText.text(of: failure.value))")
    }
    for remark in draft.remarks {
      lines.append("  # \(remark.time == .zero ? "" : "column \(Int(remark.time / self.tick) + 1): ")\(remark.text)")
    }
    lines += section("given", given, names) + section("expect", expected, names)
  }

  private func section(
    _ title: String, _ rows: [(name: String, marks: [(Duration, MarbleDiagram.Mark)])], _ names: TestNames
  ) -> [String] {
    if rows.isEmpty { return [] }
    let keys = rows.map { names.text($0.name) + ":" }
    let width = keys.map(\.count).max() ?? 0
    return ["  \(title):"]
      + zip(keys, rows).map { key, row in
        "    \(key)\(String(repeating: " ", count: width - key.count)) \"\(diagram(of: row.marks))\""
      }
  }

  private func diagram(of marks: [(Duration, MarbleDiagram.Mark)]) -> String {
    var columns = [[MarbleDiagram.Mark]](repeating: [], count: count)
    for (time, mark) in marks { columns[Int(time / tick)].append(mark) }
    return MarbleDiagram(columns: columns).description
  }
}

/// Assigns letters to the values of new diagrams.
private struct GivenLetters {
  private(set) var table: [(letter: Character, value: JSONValue)] = []
  private(set) var failure: SignalFailure?
  private var free = Array("abcdeghijklmnopqrsuvwxyz")[...]

  mutating func mark(_ event: TestDraft.Event) -> MarbleDiagram.Mark? {
    switch event {
    case .value(let value): letter(for: value).map { .value($0) }
    case .ending(let ending): mark(ending)
    }
  }

  mutating func mark(_ event: SignalEvent) -> MarbleDiagram.Mark? {
    switch event {
    case .next(let payload, _): letter(for: payload.value).map { .value($0) }
    case .ended(let ending): mark(ending)
    }
  }

  private mutating func mark(_ ending: SignalEnding) -> MarbleDiagram.Mark? {
    switch ending {
    case .completed: return .completed
    case .interrupted: return .interrupted
    case .failed(let failure):
      // A test has one failure for all its diagrams.
      if let other = self.failure, other != failure { return nil }
      self.failure = failure
      return .failed
    }
  }

  private mutating func letter(for value: JSONValue) -> Character? {
    let text = value.description
    if text == "true" { return "t" }
    if text == "false" { return "f" }
    if text.utf8.count == 1, let digit = text.first, digit.isNumber { return digit }
    if let known = table.first(where: { $0.value.description == text }) { return known.letter }
    guard let letter = free.popFirst() else { return nil }
    table.append((letter, value))
    return letter
  }
}

extension DurationText {
  /// Selects durations of whole milliseconds, which every key accepts.
  fileprivate static func isWhole(_ duration: Duration) -> Bool {
    duration.components.attoseconds % 1_000_000_000_000_000 == 0
  }
}
