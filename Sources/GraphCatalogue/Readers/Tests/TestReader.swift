import Base
import GraphModel
import JSON

/// Reads the `tests` of graphs, after the graphs themselves.
struct TestReader {
  private let graph: String
  private let signals: TestSignals
  private let context: ReadingContext

  /// Returns the valid tests in the order of the files; reports the errors of the others.
  static func tests(
    of tree: ConfigurationTree, _ graphs: [GraphDeclaration], _ context: ReadingContext
  ) -> [GraphTest] {
    guard tree.graphs.contains(where: { $0.parts.contains { $0.body["tests"] != nil } }) else { return [] }
    let (declared, actions) = (tree.declaredSignals, tree.declaredActions)
    let declarations = Dictionary(graphs.flatMap(\.signals).map { ($0.name, $0) }) { first, _ in first }
    return tree.graphs.flatMap { section in
      let signals = TestSignals(
        graph: section.name, declared: declared, actions: actions, declarations: declarations)
      return TestReader(graph: section.name, signals: signals, context: context).read(section)
    }
  }

  private func read(_ section: GraphSection) -> [GraphTest] {
    var tests: [GraphTest] = []
    for part in section.parts {
      guard let list = part.body["tests"], !list.isAbsent else { continue }
      for test in context.reader(list).list() ?? [] {
        if let test = read(test, number: tests.count + 1) { tests.append(test) }
      }
    }
    return tests
  }

  private func read(_ reader: Reader, number: Int) -> GraphTest? {
    guard let mapping = reader.mapping(of: Self.keys) else { return nil }
    let errors = context.problems.errorCount
    let name = mapping.optional("name")
    let start = mapping.optional("start").flatMap { $0.moment() } ?? 0
    let tick = mapping.optional("tick")?.duration(in: .milliseconds(1)...DurationText.longest) ?? .seconds(1)
    let tolerance = mapping.optional("about").flatMap(tolerance) ?? .none
    var letters = MarbleValues()
    if let values = content("values", mapping) { letters.read(values) }
    if let failure = mapping.optional("error").flatMap({ FailureReader.read($0) }) { letters.failure = failure }
    var signals = signals
    if let stubs = mapping.optional("stubs") { signals.readStubs(stubs) }
    var plan = TestPlan()
    let rows = MarbleRows(signals: signals, letters: letters, tick: tick, context: context)
    if let given = content("given", mapping) { rows.readGiven(given.node, into: &plan) }
    if let script = mapping.optional("script") {
      ScriptReader(signals: signals, start: start, context: context).read(script, into: &plan)
    }
    if let expected = content("expect", mapping) { rows.readExpected(expected.node, into: &plan) }
    if let until = mapping.optional("until") { readEnd(until, from: start, into: &plan) }
    if plan.expectations.isEmpty, context.problems.errorCount == errors {
      context.problems.warning("the test has no expectations", at: name?.node ?? reader.node)
    }
    plan.sort()
    return GraphTest(
      name: name?.text() ?? "test \(number)", graph: graph, place: name?.place ?? reader.place, stubs: signals.stubs,
      start: start, steps: plan.steps, expectations: plan.expectations, letters: letters, tick: tick,
      tolerance: tolerance, end: plan.end)
  }
}

extension TestReader {
  private static let keys = [
    "name", "start", "tick", "about", "values", "error", "stubs", "given", "script", "expect", "until",
  ]

  /// Returns the value of a key that maps names; `nil` if there is none.
  private func content(_ key: String, _ mapping: MappingReader) -> Reader? {
    guard let content = mapping.optional(key), !content.isAbsent, content.entries() != nil else { return nil }
    return content
  }

  private func tolerance(_ about: Reader) -> Tolerance? {
    guard let difference = about.number() else { return nil }
    if difference >= 0 { return Tolerance(of: difference) }
    about.refuse(expected: "a tolerance, such as 0.001")
    return nil
  }

  private func readEnd(_ until: Reader, from start: Int64, into plan: inout TestPlan) {
    guard let end = until.time(since: start) else { return }
    if end < plan.end {
      context.problems.error("the test already runs until \(DurationText.written(plan.end))", at: until)
    }
    plan.last(to: end)
  }
}

/// Reads `{code, message}`.
enum FailureReader {
  private static let keys = ["code", "message"]

  static func read(_ reader: Reader) -> SignalFailure? {
    reader.mapping(of: keys).map(read)
  }

  /// Reads the failure of a call, with the status of its answer or its program.
  static func readOfCall(_ reader: Reader) -> (failure: SignalFailure, status: Int32?)? {
    guard let mapping = reader.mapping(of: keys + ["status"]) else { return nil }
    let status = mapping.optional("status")?.int(in: 0...999)
    return (read(mapping), status.map(Int32.init))
  }

  private static func read(_ mapping: MappingReader) -> SignalFailure {
    let code = mapping.optional("code")?.text()
    let message = mapping.optional("message")?.text()
    return SignalFailure(code: code ?? "error", message: message ?? "")
  }
}
