import GraphModel
import JSON
import Testing

struct DiagnosticsTests {
  private func render(_ text: String, line: Int = 1, column: Int, length: Int = 1) -> String {
    let place = Place(file: SourceFile(name: "f", text: text), line: line, column: column)
    let lines = DiagnosticRenderer.text(Diagnostic(.error, "x", at: place, length: length)).split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.dropFirst().dropLast().joined(separator: "\n")
  }

  @Test func `a caret stands under its columns`() {
    #expect(render("abc", column: 2, length: 2) == "  abc\n   ^~")
    #expect(render("abc", column: 4) == "  abc\n     ^")
    #expect(render("abc", column: 3, length: 99) == "  abc\n    ^")
    #expect(render("a\r\nbc\rd\n", line: 2, column: 2) == "  bc\n   ^")
    #expect(render("a\r\nbc\rd\n", line: 3, column: 1) == "  d\n  ^")
  }

  @Test func `tabs stay tabs, wide characters take two columns and combining marks none`() {
    #expect(render("\ta: b", column: 5) == "  \ta: b\n  \t   ^")
    #expect(render("温度: x", column: 5) == "  温度: x\n        ^")
    #expect(render("温度: x", column: 1, length: 2) == "  温度: x\n  ^~~~")
    #expect(render("e\u{301}: x", column: 5) == "  e\u{301}: x\n     ^")
    #expect(render("🚀 x", column: 3) == "  🚀 x\n     ^")
  }

  @Test func `a control character never reaches the terminal`() {
    #expect(render("a\u{1B}[31m", column: 3) == "  a\u{FFFD}[31m\n    ^")
  }

  @Test func `a long line is shown in part`() {
    let line = String(repeating: "a", count: 500) + "b" + String(repeating: "c", count: 500)
    let shown = render(line, column: 501, length: 3).split(separator: "\n")
    #expect(shown[0].count == 164)
    #expect(shown[0].firstIndex(of: "b").map { shown[0].distance(from: shown[0].startIndex, to: $0) } == 43)
    #expect(shown[1] == String(repeating: " ", count: 43) + "^~~")
  }

  @Test func `a related place and a suggestion are reported`() {
    let file = SourceFile(name: "f.yaml", text: "a: 1\nb: 2\n")
    let diagnostic = Diagnostic(
      .error, "unknown key \"b\"", at: Place(file: file, line: 2, column: 1), suggestion: "bb",
      related: .init("see here", at: Place(file: file, line: 1, column: 4)))
    #expect(
      DiagnosticRenderer.text(diagnostic) == """
        f.yaml:2:1: error: unknown key "b"; did you mean "bb"?
          b: 2
          ^
        f.yaml:1:4: note: see here
          a: 1
             ^

        """)
    #expect(
      DiagnosticRenderer.json(diagnostic).written
        == #"{severity:"error",file:"f.yaml",line:2,column:1,length:1,message:"unknown key \"b\"",suggestion:"bb","#
        + #"related:{file:"f.yaml",line:1,column:4,message:"see here"}}"#)
  }

  @Test func `diagnostics are ordered by file, line and column, and reported once`() {
    let files = [SourceFile(name: "z", index: 0, text: "x"), SourceFile(name: "a", index: 1, text: "x")]
    let problems = Problems()
    for (file, line, column) in [(1, 1, 1), (0, 2, 1), (0, 1, 2), (0, 10, 1), (0, 1, 1), (0, 1, 2)] {
      problems.error("m", at: Place(file: files[file], line: line, column: column))
    }
    let places = problems.diagnostics.list.map(\.place.description)
    #expect(places == ["z:1:1", "z:1:2", "z:2:1", "z:10:1", "a:1:1"])
  }

  @Test func `warnings alone do not refuse a configuration`() throws {
    let problems = Problems()
    problems.warning("m", at: SourceFile(name: "f", text: "").start)
    try problems.throwErrors()
    #expect(problems.diagnostics.warnings.count == 1)
    problems.error("m", at: SourceFile(name: "f", text: "").start)
    let thrown = #expect(throws: Diagnostics.self) { try problems.throwErrors() }
    #expect(thrown?.list.count == 2)
    #expect(thrown?.errors.count == 1)
  }
}
