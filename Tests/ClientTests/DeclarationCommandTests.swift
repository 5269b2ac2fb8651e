import Foundation
import JSON
import Testing

/// Commands that tell what there is and draw what was declared.
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
    #expect(try Client.run("operators").output.contains("debounce\toperator\tPasses on"))
    #expect(try Client.run("operators", "debounce").output.contains("in   1--23-----4|"))
    let wrong = try Client.run("operators", "debonce")
    #expect(wrong.status == 68)
    #expect(wrong.errors == "signalbox: no operator or source debonce; did you mean debounce?\n")
    #expect(try Client.run("operators", "--json", "map").output.hasPrefix(#"{"kind":"operator","name":"map","#))
  }

  @Test func `check says what the service has to be allowed for a configuration`() throws {
    let file = try TemporaryFile(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            load: {file: /proc/loadavg, every: 1s}
            out: {file: /var/lib/states/out, write: true}
            note: {file: /home/someone/note}
            both: {merge: [{exec: [uptime]}, {tail: /home/someone/log}]}
          actions:
            fan: {exec: [fan]}
      """)
    let unit = try Client.run("check", "--unit", file.path)
    #expect(
      unit.output == """
        # Programs are run (g.both, g.fan): the shipped exec.conf belongs beside this file, too.
        [Service]
        # g.out writes /var/lib/states/out.
        ReadWritePaths=/var/lib/states
        # g.note reads /home/someone/note.
        ProtectHome=read-only

        """)
    let plain = try TemporaryFile(Self.graph)
    #expect(try Client.run("check", "--unit", plain.path).output.hasSuffix("needs nothing beyond the shipped unit.\n"))
    #expect(try Client.run("check", "--unit", "--format", "json", plain.path).status == 64)
  }

  @Test func `the schema is JSON`() throws {
    var parser = JSONParser()
    _ = try parser.value(of: Array(try Client.run("schema").output.utf8).span)
  }
}
