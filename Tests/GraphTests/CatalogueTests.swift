import GraphCatalogue
import GraphEngine
import GraphModel
import JSON
import ReactiveTesting
import Testing

/// The documented properties of every declaration, verified for each of them.
@Suite struct CatalogueTests {
  @Test(arguments: Catalogue.operators.map(\.name))
  func `an operator does what its example shows`(name: String) throws {
    let example = try #require(Catalogue.operator(named: name)).example
    let expected = try MarbleDiagram(parsing: example.expected).description
    let drawn = try ExampleRun(example).drawn
    #expect(drawn == expected)
  }

  @Test(arguments: Catalogue.operators.map(\.name))
  func `an operator is named and summed up as the reference wants it`(name: String) throws {
    let declaration = try #require(Catalogue.operator(named: name))
    let words = declaration.summary
    #expect(name.allSatisfy { $0.isLowercase || $0 == "_" })
    #expect(words.hasSuffix(".") && words.first?.isUppercase == true)
    #expect(declaration.example.pipe.hasPrefix(name))
    #expect(Set(declaration.parameters.map(\.name)).count == declaration.parameters.count)
  }

  @Test(arguments: Catalogue.operators.filter { $0.parameters.contains { $0.form == "named" } }.map(\.name))
  func `a misspelt parameter is refused with the names that there are`(name: String) throws {
    #expect(throws: ConfigurationError.self) {
      _ = try TestGraph.configuration(signals: "x: {input: {}, pipe: [{\(name): {nonesuch: 1}}]}")
    }
  }

  @Test func `names are given once`() {
    let names = Catalogue.operators.map(\.name)
    #expect(Set(names).count == names.count)
    let sources = Catalogue.sources.map(\.name)
    #expect(Set(sources).count == sources.count)
  }
}

/// The example of an operator, run in virtual time and drawn again.
struct ExampleRun {
  let drawn: String

  /// - Parameters:
  ///   - restarts: Pass `true` to discard and resume the graph all the time.
  ///   - isForgetful: Pass `true` to drop the operator's memory each time.
  init(_ example: OperatorExample, restarts: Bool = TestGraph.restartsByDefault, isForgetful: Bool = false) throws {
    let inputs = example.given.keys.filter { $0 != "in" || !example.isCold }.sorted()
    let signals =
      inputs.map { "\($0): {input: {endable: true}}" } + [
        "out: {\(example.source), pipe: [{\(example.item)}]}"
      ]
    let programs = example.programs.keys.sorted()
    let actions = programs.map { "\($0): {exec: [\($0)]}" }.joined(separator: ", ")
    let graph = TestGraph(
      try TestGraph.configuration(signals: signals.joined(separator: "\n"), actions: "{\(actions)}"),
      restarts: restarts, discarding: { isForgetful && $0.name == "g.out" })
    let rows = try (inputs + programs).map {
      ($0, try MarbleDiagram(parsing: example.given[$0] ?? example.programs[$0] ?? "").columns)
    }
    let values = try ExampleValues(example.values)
    let expected = try MarbleDiagram(parsing: example.expected)
    let length = max(rows.map(\.1.count).max() ?? 0, expected.columns.count)
    var columns: [[MarbleDiagram.Mark]] = []
    for column in 0..<length {
      graph.move(to: Double(column))
      for (name, marks) in rows where column < marks.count {
        for mark in marks[column] { try graph.play(mark, on: name, values) }
      }
      graph.runtime.clock.runDueTimers()
      columns.append(graph.outcomes(of: "out").map(values.mark))
    }
    // Trailing columns are silence of the inputs.
    while columns.count > expected.columns.count, columns.last?.isEmpty == true { columns.removeLast() }
    drawn = MarbleDiagram(columns: columns).description
  }
}

extension OperatorExample {
  /// The source of the pipe.
  var source: String {
    isCold ? "marble: {diagram: '\(given["in"] ?? "")', values: \(values)}" : "from: in"
  }

  /// The example as the inside of a mapping: `name: parameter`, even without a parameter.
  var item: String { pipe.contains(":") ? pipe : "\(pipe): " }
}

/// The values of an example's letters.
struct ExampleValues {
  private let table: JSONObject

  init(_ yaml: String) throws {
    let read = ConfigurationWorld().read(yaml) { $0.value() }
    guard case .object(let table)? = read.value else { throw SignalFailure(code: "example", message: read.found) }
    self.table = table
  }

  func value(of letter: Character) -> JSONValue {
    if let value = table[String(letter)] { return value }
    if let digit = letter.wholeNumberValue { return .number(Double(digit)) }
    switch letter {
    case "t": return true
    case "f": return false
    default: return .string(String(letter))
    }
  }

  func mark(for event: SignalEvent) -> MarbleDiagram.Mark {
    switch event {
    case .next(let payload, _): .value(letter(for: payload.value))
    case .ended(.completed): .completed
    case .ended(.failed): .failed
    case .ended(.interrupted): .interrupted
    }
  }

  private func letter(for value: JSONValue) -> Character {
    table.members.first { $0.value == value }?.key.first
      ?? "0123456789tfabcdefghijklmnopqrsuvwxyz".first { self.value(of: $0) == value } ?? "?"
  }
}
