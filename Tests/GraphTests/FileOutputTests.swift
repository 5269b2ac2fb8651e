import GraphEngine
import GraphModel
import GraphTools
import JSON
import Testing

/// Files that values are appended to, and files named by values, controlled by the test.
@Suite struct `Files that values are written to` {
  private func text(_ graph: TestGraph, _ path: String) -> String? {
    graph.files[path].map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("text", [#""a""#, #""b\n""#, #""c\nd""#, #""""#], "a\nb\nc\nd\n\n"),
    ("lines", [#"["a","b"]"#, "[]", #"["c"]"#], "a\nb\nc\n"),
    ("json", [#"{"v": 1.50}"#, "null", #""x""#], "{\"v\": 1.50}\nnull\n\"x\"\n"),
  ])
  func `each value is a line that is added, and the value is emitted`(
    format: String, values: [String], content: String
  ) throws {
    let graph = try TestGraph(signals: "f: {file: {path: /f, format: \(format), append: true}}")
    #expect(graph.signal("f").kind == .input)
    for value in values { try graph.send(value, to: "f") }
    #expect(text(graph, "/f") == content)
    #expect(graph.said() == values.enumerated().map { "f#\($0 + 1) \($1)" })
    #expect(!graph.signal("f").isHeld)
    #expect(graph.followers(of: "/f") == 0)
  }

  @Test func `JSON that came on several lines is added as one`() throws {
    let graph = try TestGraph(
      signals: """
        c: {file: {path: /c, format: json}, pipe: [{send_to: f}]}
        f: {file: {path: /f, format: json, append: true, write: true}}
        """)
    graph.change("/c", to: "{\"a\":\r\n\t[1,\n2],\n \"b\": \"\\n\"}\n")
    let line = try #require(text(graph, "/f"))
    #expect(line.split(separator: "\n").count == 1)
    #expect(line.filter { !$0.isWhitespace } == #"{"a":[1,2],"b":"\n"}"#)
  }

  @Test func `an expression makes the name of a value's file`() throws {
    let graph = try TestGraph(
      signals: """
        days: {file: {folder: /d, name: '"\\(.day)/\\($signal).log"', append: true, format: json}}
        last: {file: {folder: /l, name: .day, write: true, format: json}}
        """)
    for day in ["a", "b", "a"] {
      try graph.send(#"{"day":"\#(day)"}"#, to: "days")
      try graph.send(#"{"day":"\#(day)"}"#, to: "last")
    }
    #expect(text(graph, "/d/a/g.days.log") == "{\"day\":\"a\"}\n{\"day\":\"a\"}\n")
    #expect(text(graph, "/d/b/g.days.log") == "{\"day\":\"b\"}\n")
    #expect(text(graph, "/l/a") == "{\"day\":\"a\"}\n")
    #expect(graph.said(by: "days").count == 3)
  }

  @Test(arguments: ["", "/etc/x", "..", "../x", "a/../../x", "a/..", ".", "a//b", "a/", "a\\u0000b"])
  func `a name that might lead elsewhere is refused to the sender, and nothing is emitted`(name: String) throws {
    let graph = try TestGraph(signals: "f: {file: {folder: /d, name: ., append: true}}")
    #expect(throws: SendError.failed(.init(code: "file", message: "\"\(name)\" is not a valid path below /d"))) {
      try graph.send("\"\(name)\"", to: "f")
    }
    #expect(graph.said() == [])
    #expect(graph.files.isEmpty)
  }

  @Test func `an expression that makes no name refuses the value`() throws {
    let graph = try TestGraph(
      signals: """
        f: {file: {folder: /d, name: .name, append: true, format: json}}
        none: {file: {folder: /d, name: empty, append: true, format: json}}
        in: {input: {}}
        bound: {from: in, pipe: [{send_to: f}]}
        """)
    let failure = SignalFailure(code: "bad_value", message: "the name of the file must be a string")
    #expect(throws: SendError.failed(failure)) { try graph.send(#"{"name":1}"#, to: "f") }
    #expect(throws: SendError.failed(failure)) { try graph.send("{}", to: "none") }
    #expect(throws: SendError.self) { try graph.send("1", to: "f") }
    try graph.send("{}", to: "in")
    #expect(graph.refusals.map(\.failure) == [failure])
    #expect(graph.said(by: "f", "none") == [])
  }

  @Test func `what is too long or cannot be written is refused`() throws {
    let graph = try TestGraph(
      TestGraph.configuration(
        "signalbox: 1\nserver: {limits: {line: 1KiB}}\n"
          + "graphs: {g: {signals: {f: {file: {path: /f, append: true}}, d: {file: {folder: /d, name: '\"x\"', append: true}}}}}"
      ))
    let text = String(repeating: "x", count: 1024)
    #expect(throws: SendError.badValue(expected: "at most 1024 bytes (limits.line)", found: "1025")) {
      try graph.send("\"\(text)\"", to: "f")
    }
    try graph.send("\"\(text.dropLast())\"", to: "f")
    graph.readOnly = ["/d/x"]
    #expect(throws: SendError.failed(.init(code: "file", message: "/d/x: Read-only file system"))) {
      try graph.send(#""y""#, to: "d")
    }
    #expect(graph.said(by: "d") == [])
  }

  @Test func `no file is written in a test, which sees the values`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            in: {input: {}}
            out: {from: in, pipe: [{send_to: log}, {send_to: days}]}
            log: {file: {path: /no/such/folder/log, append: true}}
            days: {file: {folder: /no/such/folder, name: ., append: true}}
          tests:
            - given: {in: "a-b"}
              expect: {log: "a-b", days: "a-b"}
            - given: {log: "a-b|"}
              expect: {log: "a-b|"}
      """)
    var outcomes: [TestOutcome] = []
    configuration.runTests(restarts: TestGraph.restartsByDefault) { outcomes.append($0) }
    #expect(outcomes.count == 2)
    #expect(outcomes.flatMap(\.failures).isEmpty)
  }
}
