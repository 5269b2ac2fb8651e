import GraphEngine
import GraphModel
import GraphStories
import JSON
import Testing

/// Lines that a regular expression does not match, under each treatment.
@Suite struct `Lines without a match` {
  private static let refusal =
    #"{"error":{"code":"bad_value","message":"line does not match the regular expression"}}"#

  private func format(_ rest: String = "") -> String { "{regex: '^(?<a>[0-9]+)$'\(rest)}" }

  @Test(arguments: [
    ("", [refusal], 1), (", unmatched: error", [refusal], 1), (", unmatched: skip", [], 0),
    (", unmatched: emit", [#""no 2""#], 0),
  ])
  func `are an error, skipped or emitted whole`(rest: String, between: [String], errors: UInt64) throws {
    let graph = try TestGraph(signals: "t: {tail: {path: /t, format: \(format(rest))}, on_error: emit}")
    graph.tail("/t", .appended(Array("1\nno 2\n3\n".utf8)))
    #expect(
      graph.said().map { String($0.drop { $0 != " " }.dropFirst()) }
        == [#"{"a":"1"}"#] + between + [#"{"a":"3"}"#])
    #expect(graph.signal("t").losses.errors == errors)
  }

  @Test func `of a program and of many files are treated alike`() throws {
    let graph = try TestGraph(
      signals: """
        p: {exec: [x], format: \(format(", unmatched: skip"))}
        t: {tail: {path: "/d/*", glob: true, format: \(format(", unmatched: emit"))}}
        """, restarts: false)
    try #require(graph.programs.first).print("no\n1\n")
    let place = TailPlace(device: 1, inode: 1, offset: 0)
    graph.glob(
      "/d/*", .began(place, path: "/d/a"), .tail(.appended(Array("no\n2\n".utf8)), of: FileNumbers(place)))
    #expect(
      graph.said() == [
        #"p#1 {"a":"1"}"#, #"t#1 {"path":"/d/a","value":"no"}"#, #"t#2 {"path":"/d/a","value":{"a":"2"}}"#,
      ])
    #expect(graph.refusals.isEmpty)
  }

  @Test func `are whole records where several lines make one`() throws {
    let graph = try TestGraph(
      signals: #"""
        t: {tail: {path: /t, multiline: 'test("^\\S")', format: {regex: '^(?<a>x)', unmatched: emit}}}
        """#)
    graph.tail("/t", .appended(Array("x\n 1\ny\n 2\n".utf8)), .rotated)
    #expect(graph.said() == [#"t#1 {"a":"x"}"#, #"t#2 "y\n 2""#])
  }

  @Test func `that are too long or not text are errors under each treatment`() throws {
    for treatment in ["skip", "emit"] {
      let graph = try TestGraph(
        TestGraph.configuration(
          """
          signalbox: 1
          server: {limits: {line: 64}}
          graphs: {g: {signals: {t: {tail: {path: /t, format: \(format(", unmatched: \(treatment)"))}}}}}
          """))
      graph.tail("/t", .appended([0x78, 0xFF, 0x0A]), .appended(Array(repeating: 0x78, count: 70) + [0x0A]))
      #expect(graph.refusals.map(\.failure.code) == ["bad_value", "too_long"])
      #expect(graph.said() == [])
    }
  }

  @Test func `are treated as a reload declares, and another signal is left alone`() throws {
    func configuration(_ treatment: String) throws -> Configuration {
      try TestGraph.configuration(
        signals: """
          t: {tail: {path: /t, format: \(format(", unmatched: \(treatment)"))}}
          u: {tail: {path: /u, format: \(format(", unmatched: skip"))}}
          """)
    }
    let graph = TestGraph(try configuration("skip"))
    graph.tail("/t", .appended(Array("no\n1\nha".utf8)))
    graph.tail("/u", .appended(Array("5".utf8)))
    let verdict = graph.reload(try configuration("emit"))
    #expect(verdict.kept == ["g.u"])
    graph.tail("/t", .appended(Array("no\n2\n".utf8)))
    graph.tail("/u", .appended(Array("6\n".utf8)))
    #expect(
      graph.said() == [#"t#1 {"a":"1"}"#, #"t#2 "no""#, #"t#3 {"a":"2"}"#, #"u#1 {"a":"56"}"#])
  }

  @Test(arguments: [
    ("{regex: '(?<a>.)', unmatched: skp}", "expected one of error, skip, emit, found \"skp\"; did you mean \"skip\"?"),
    ("{regex: '(?<a>.)', unmatched: [skip]}", "expected one of error, skip, emit, found a list"),
    ("{regex: '(?<a>.)', unmatchd: skip}", "unknown key \"unmatchd\"; did you mean \"unmatched\"?"),
    ("{csv: [a], unmatched: skip}", "unmatched applies to lines that do not match a regex; csv has none"),
    ("{unmatched: skip}", "expected either {csv: …} or {regex: '(?<name>…)'}"),
  ])
  func `have no other treatment`(format: String, message: String) {
    let found = TemplateTests.mistakes(
      "signalbox: 1\ngraphs: {g: {signals: {t: {tail: {path: /t, format: \(format)}}}}}\n")
    #expect(found.contains("error: ") && found.contains(message), "\(found)")
  }
}
