import GraphEngine
import GraphModel
import GraphTools
import JSON
import Testing

/// Files as sources, controlled by the test.
@Suite struct `Files as sources` {
  @Test func `a file is followed, and emits when its content has changed`() throws {
    let graph = try TestGraph(signals: "f: {file: /f}")
    #expect(graph.said() == [])
    graph.change("/f", to: "a\n")
    graph.change("/f", to: "a\n")
    graph.change("/f", to: nil)
    graph.change("/f", to: "b")
    #expect(graph.said() == [#"f#1 "a\n""#, #"f#2 "b""#])
    #expect(graph.signal("f").isHeld)
    #expect(graph.followers(of: "/f") == 1)
    graph.runtime.stop()
    #expect(graph.followers(of: "/f") == 0)
  }

  @Test func `a file that is being written is read when it is closed, or after a moment`() throws {
    let graph = try TestGraph(signals: "f: {file: /f}")
    graph.change("/f", to: "", .underWay)
    graph.change("/f", to: "a", .underWay)
    graph.change("/f", to: "a", .done)
    #expect(graph.said() == [#"f#1 "a""#])
    #expect(graph.runtime.nextDeadline == nil)
    graph.change("/f", to: "ab", .underWay)
    #expect(graph.said() == [])
    graph.advance(to: 0.1)
    #expect(graph.said() == [#"f#2 "ab""#])
    graph.change("/f", to: "abc", .underWay)
    graph.runtime.stop()
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test(arguments: [
    ("text", "a\nb\n", #""a\nb\n""#), ("lines", "a\r\n\nb", #"["a","","b"]"#), ("lines", "", "[]"),
    ("json", "{\"v\":\n 1.0}\n", #"{"v":1.0}"#),
  ])
  func `the content is a text, lines or JSON`(format: String, content: String, value: String) throws {
    let forms = ["file: {path: /f, format: \(format)}", "file: /f, format: \(format)"]
    for form in forms {
      let graph = try TestGraph(signals: "f: {\(form)}")
      graph.change("/f", to: content)
      #expect(graph.said() == ["f#1 \(value)"])
    }
  }

  @Test func `a content that is not JSON is refused`() throws {
    let graph = try TestGraph(signals: "f: {file: /f, format: json}")
    graph.change("/f", to: "{")
    graph.change("/f", to: "1")
    #expect(graph.said() == ["f#1 1"])
    #expect(graph.refusals.map(\.failure.code) == ["bad_value"])
  }

  @Test(arguments: [
    ("text", #""a\nb""#, "a\nb"), ("lines", #"["a","b"]"#, "a\nb\n"), ("json", #"{"v": 1.50}"#, "{\"v\": 1.50}\n"),
  ])
  func `sending writes the file and is the new value`(format: String, value: String, content: String) throws {
    let graph = try TestGraph(signals: "f: {file: {path: /f, format: \(format), write: true}}")
    #expect(graph.signal("f").kind == .property)
    try graph.send(value, to: "f")
    #expect(graph.files["/f"].map { String(decoding: $0, as: UTF8.self) } == content)
    graph.change("/f", to: content)
    #expect(graph.said() == ["f#1 \(value)"])
  }

  @Test func `what cannot be written is refused, and nothing is emitted`() throws {
    let graph = try TestGraph(
      signals: """
        f: {file: {path: /f, write: true}}
        l: {file: {path: /l, format: lines, write: true}}
        r: {file: /r}
        in: {input: {}}
        bound: {from: in, pipe: [{send_to: f}]}
        """)
    graph.readOnly = ["/f"]
    let failure = SignalFailure(code: "file", message: "/f: Read-only file system")
    #expect(throws: SendError.failed(failure)) { try graph.send(#""x""#, to: "f") }
    #expect(throws: SendError.badValue(expected: "a string", found: "a number")) { try graph.send("1", to: "f") }
    #expect(throws: SendError.badValue(expected: "an array of lines", found: "an array with other elements")) {
      try graph.send(#"["a\nb"]"#, to: "l")
    }
    #expect(throws: SendError.notAnInput(kind: .source)) { try graph.send("1", to: "r") }
    try graph.send(#""y""#, to: "in")
    #expect(graph.said(by: "f") == [])
    #expect(graph.refusals.map(\.failure) == [failure])
  }

  @Test func `lines that are appended to a file are values`() throws {
    let graph = try TestGraph(signals: "t: {tail: /t}\nj: {tail: {path: /t, format: json}}")
    graph.tail("/t", .appended(Array("1\n2".utf8)))
    #expect(graph.said() == [#"t#1 "1""#, "j#1 1"])
    graph.tail("/t", .appended(Array("3\n4".utf8)), .rotated, .appended(Array("5\n6".utf8)), .truncated)
    graph.tail("/t", .appended(Array("7\n".utf8)))
    #expect(graph.said(by: "t") == [#"t#2 "23""#, #"t#3 "4""#, #"t#4 "5""#, #"t#5 "7""#])
    graph.runtime.stop()
    #expect(graph.followers(of: "/t") == 0)
  }

  @Test func `what never runs in a test comes from the test`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            p: {exec: [reboot]}
            t: {tail: /var/log/syslog}
            f: {file: {path: /etc/passwd, write: true}}
            all: {merge: [p, t, f]}
          tests:
            - given: {p: "a--|", t: "-b--", f: "--c-"}
              expect: {all: "abc-"}
              script:
                - {at: 2s, subscribe: {as: late, to: f}}
                - {at: 2s, expect: {late: c}}
      """)
    var outcomes: [TestOutcome] = []
    configuration.runTests(restarts: TestGraph.restartsByDefault) { outcomes.append($0) }
    #expect(outcomes.count == 1)
    #expect(outcomes.flatMap(\.failures).isEmpty)
  }
}
