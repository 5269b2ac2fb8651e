import Foundation
import JSON
import TestSupport
import Testing

/// Commands that list and draw declarations.
struct DeclarationCommandTests {
  private static let graph = "signalbox: 1\ngraphs: {g: {signals: {a: {input: {}}, b: {from: a}}}, h: {signals: {}}}\n"

  @Test func `graphs are drawn, in a pipe for Graphviz and on a terminal as a tree`() throws {
    let file = try TemporaryFile(Self.graph)
    #expect(try Client.run("graph", file.path).output.contains("\"g.a\" -> \"g.b\""))
    #expect(try Client.run("graph", "--format", "mermaid", file.path).output.hasPrefix("flowchart LR\n"))
    #expect(try Client.run("graph", "--format", "svg", file.path).output.hasPrefix("<svg "))
    #expect(try Client.run("graph", "--only", "h", file.path).output.contains("g.a") == false)
    #expect(try Client.run("graph", "--only", "x", file.path).status == 68)
    #expect(try Client.run("graph", "--format", "png", file.path).status == 64)
    let tree = try Terminal(rows: 24, columns: 80).show("graph", file.path, environment: ["TERM": "dumb"])
    #expect(tree == "g\n  a  input\n  └─▶ b\n\nh\n")
  }

  @Test func `a picture's file is there when it is drawn, and not before`() throws {
    let file = try TemporaryFile(Self.graph)
    let picture = try TemporaryFile("", suffix: ".svg")
    try FileManager.default.removeItem(atPath: picture.path)
    let wrong = try TemporaryFile(Self.graph.replacing("from", with: "form"))
    #expect(try Client.run("graph", "-o", picture.path, wrong.path).status == 78)
    #expect(try Client.run("graph", "-o", picture.path, "--only", "x", file.path).status == 68)
    #expect(!FileManager.default.fileExists(atPath: picture.path))
    #expect(try Client.run("graph", "-o", picture.path, file.path).output.isEmpty)
    #expect(try picture.text.hasSuffix("</svg>\n"))
    let unknown = try Client.run("graph", "-o", "graph.png", file.path)
    #expect(unknown.status == 64 && unknown.errors.contains("--format is missing"))
  }

  @Test func `operators are listed and explained`() throws {
    #expect(try Client.run("operators").output.contains("debounce\toperator\tEmits the latest"))
    #expect(try Client.run("operators", "debounce").output.contains("in   1--23-----4|"))
    let wrong = try Client.run("operators", "debonce")
    #expect(wrong.status == 68)
    #expect(wrong.errors == "signalbox: no operator or source debonce; did you mean debounce?\n")
    #expect(try Client.run("operators", "--json", "map").output.hasPrefix(#"{"kind":"operator","name":"map","#))
  }

  @Test func `the page on configurations shows the errors that check finds`() throws {
    let page = try Committed.lines(of: "docs/configuration.md")
    func block(behind line: String) -> String {
      page.drop { $0 != line }.dropFirst().prefix { $0 != "```" }.joined(separator: "\n") + "\n"
    }
    let start = try #require(page.firstIndex { $0.hasPrefix("This file has ten:") })
    let yaml = page[start...].drop { $0 != "```yaml" }.dropFirst().prefix { $0 != "```" }.joined(separator: "\n")
    let file = try TemporaryFile(yaml + "\n")
    let found = try Client.run("check", file.path)
    #expect(
      found.errors.replacing(file.path, with: "mistakes.yaml") == block(behind: "$ signalbox check mistakes.yaml"))
  }

  @Test func `the schema is JSON`() throws {
    var parser = JSONParser()
    _ = try parser.value(of: Array(try Client.run("schema").output.utf8).span)
  }
}
