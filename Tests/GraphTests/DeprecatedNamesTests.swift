import JSON
import Testing

@testable import GraphCatalogue
@testable import GraphModel

struct DeprecatedNamesTests {
  private func unit(of configuration: Configuration) -> String? {
    configuration.buildOrder.first { $0.name == "g.t" }?.traits.unit
  }

  @Test func `the old name of a trait works, with a warning and a fix-it at its place`() throws {
    let configuration = try TestGraph.configuration(signals: "raw: {input: {}}\nt: {from: raw, 'unit': °C}")
    #expect(unit(of: configuration) == "°C")
    let warning = try #require(configuration.warnings.list.first)
    #expect(configuration.warnings.list.count == 1)
    #expect(warning.message == "\"unit\" is deprecated: use \"unit_of_measurement\"")
    #expect(warning.fixIt?.place == warning.place)
    #expect(warning.fixIt?.original == "'unit'")
    #expect(warning.fixIt?.replacement == "'unit_of_measurement'")
  }

  @Test func `a source is no deprecated trait`() throws {
    let configuration = try TestGraph.configuration(
      signals: "u: {unit: a.service}\nt: {unit: a.service, unit_of_measurement: state}")
    #expect(configuration.warnings.list.isEmpty)
    #expect(unit(of: configuration) == "state")
  }

  @Test func `both names of one trait are an error`() throws {
    let error = #expect(throws: ConfigurationError.self) {
      try TestGraph.configuration(signals: "raw: {input: {}, unit: K, unit_of_measurement: °C}")
    }
    guard case .invalid(let diagnostics)? = error else { return }
    #expect(diagnostics.errors.map(\.message) == ["duplicate \"unit_of_measurement\""])
  }

  private func read(_ text: String) -> (value: Int?, Diagnostics) {
    let problems = Problems()
    let reader = DeclarationReader(
      ReadingContext(problems: problems, inputs: .system), graph: "g", declared: DeclaredNames([]),
      bodies: BodyReader())
    let list = ParameterList(
      Parameter<Int>("size", "a size", formerly: "length"), Parameter<Int?>("rest", "the rest", initial: .some(nil)))
    let (_, root) = ConfigurationText.read(Array(text.utf8), name: "f.yaml", index: 0, problems: problems)
    let values = root.flatMap { list.read($0, of: "cut", at: $0, reader) }
    return (values?.0, problems.diagnostics)
  }

  @Test func `the old name of a parameter works, with a warning and a fix-it at its place`() {
    let (value, diagnostics) = read("{rest: 1, length: 3}")
    #expect(value == 3)
    #expect(
      DiagnosticRenderer.text(diagnostics) == """
        f.yaml:1:11: warning: "length" is deprecated: use "size"
          {rest: 1, length: 3}
                    ^~~~~~
          fix-it: replace length with size

        """)
    let json = DiagnosticRenderer.json(diagnostics).written
    #expect(json.contains(#"fix:{file:"f.yaml",line:1,column:11,length:6,replacement:"size"}"#))
  }

  @Test func `both names of one parameter are an error`() {
    let (value, diagnostics) = read("{size: 1, length: 3}")
    #expect(value == nil)
    #expect(diagnostics.errors.map(\.message) == ["duplicate \"length\""])
  }

  @Test func `a mapping has keys with old names too`() throws {
    let problems = Problems()
    let context = ReadingContext(problems: problems, inputs: .system)
    let (_, root) = ConfigurationText.read(Array("{old: 3}".utf8), name: "f.yaml", index: 0, problems: problems)
    let node = try #require(root)
    let mapping = try #require(context.reader(node).mapping(of: ["new"], formerly: ["old"]))
    #expect(mapping.optional("new", formerly: "old")?.int(in: 0...9) == 3)
    #expect(problems.diagnostics.errors.isEmpty)
    #expect(problems.diagnostics.warnings.map(\.fixIt?.replacement) == ["new"])
  }

  @Test func `only text that the file contains verbatim is replaced`() {
    let file = SourceFile(name: "f", text: "a: ${b}\n")
    func fixIt(_ text: String, _ style: Scalar.Style, column: Int, _ word: String = "new") -> FixIt? {
      let place = Place(file: file, line: 1, column: column)
      return FixIt(replacing: ConfigNode(place: place, content: .scalar(Scalar(text, style: style))), with: word)
    }
    #expect(fixIt("a", .plain, column: 1)?.replacement == "new")
    #expect(fixIt("b", .plain, column: 4) == nil)
    #expect(fixIt("a", .doubleQuoted, column: 1) == nil)
    #expect(fixIt("a", .plain, column: 1, "not: plain") == nil)
    #expect(fixIt("a", .plain, column: 1, "true") == nil)
  }
}
