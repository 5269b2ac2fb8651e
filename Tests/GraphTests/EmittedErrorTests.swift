import Signals
import Testing

@testable import GraphEngine
@testable import GraphModel

/// With `on_error: emit` an error leaves its signal at once: the rest of the pipe receives nothing.
@Suite struct `Emitted errors` {
  /// The results of 1, of "x", which `map: . + 1` refuses, and of 2.
  @Test(arguments: [
    ("{map: '. * 10'}", ["20", "E", "30"]), ("{scan: {initial: 0, next: $state + 1}}", ["1", "E", "2"]),
    ("skip_repeats", ["2", "E", "3"]), ("pairwise", ["E", "[2,3]"]), ("{filter: . > 2}", ["E", "3"]),
    ("{take: 2}", ["2", "E", "3"]), ("{cast: string}", [#""2""#, "E", #""3""#]),
    ("{buffer: {count: 2}}", ["E", "[2,3]"]),
    ("{map: .}, {map: .}", ["2", "E", "3"]), ("{send_to: b}", ["2", "E", "3"]),
    ("{group_by: {key: ., max_keys: 9, pipe: [{scan: {initial: 0, next: $state + 1}}]}}", ["1", "E", "1"]),
    ("{flat_map: {merge: {value: 1, pipe: [{map: $value}]}}}", ["2", "E", "3"]), ("{delay: 1s}", ["E", "2", "3"]),
    ("{debounce: 1s}", ["E", "3"]),
    ("materialize", [#"{"event":"next","value":2}"#, "E", #"{"event":"next","value":3}"#]),
    ("{window: {count: 2}}", ["[2]", "E", "[2,3]"]),
    ("{catch: {value: 0}}", ["2", "E", "3"]),
  ])
  func `the operators behind the one that refuses do not take it for a value`(rest: String, expected: [String]) throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        b: {input: {}}
        x: {from: a, pipe: [{map: . + 1}, \(rest)], on_error: emit}
        """)
    for value in ["1", #""x""#, "2"] { try graph.send(value, to: "a") }
    graph.advance(to: 5)
    let said = graph.outcomes(of: "x").compactMap { event -> String? in
      guard case .next(let payload, _) = event else { return nil }
      return "\(payload)".hasPrefix(#"{"error""#) ? "E" : "\(payload)"
    }
    #expect(said == expected)
    #expect(graph.signal("x").losses.errors == 1)
  }

  @Test(arguments: [
    "{group_by: {key: ., max_keys: 9, pipe: [{map: '. + 1'}]}}",
    "{flat_map: {merge: {value: 1, pipe: [{map: $value}, {map: '. + 1'}]}}}",
    "{flat_map: {latest: {value: 1, pipe: [{map: '$value + 1'}]}}}",
    "{merge: {from: a, pipe: [{map: '. + 1'}, ignore_values]}}",
    "{catch: {value: 1}}, {map: '. + 1'}", "{group_by: {key: '. + 1', max_keys: 9, pipe: [count]}}",
  ])
  func `it leaves the signal from within other operators too`(step: String) throws {
    let graph = try TestGraph(
      signals: "a: {input: {}}\nx: {from: a, pipe: [\(step), {map: '7'}], on_error: emit, replay: 9}")
    try graph.send(#""x""#, to: "a")
    #expect(graph.signal("x").retained.all.contains { "\($0.payload)".hasPrefix(#"{"error""#) })
  }

  @Test func `a signal that is declared on the spot with emit emits it into the pipe around it`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        x: {merge: [{from: a, pipe: [{map: . + 1}, {map: '. * 2'}], on_error: emit}], pipe: [{map: '[.]'}]}
        """)
    try graph.send("1", to: "a")
    try graph.send("null", to: "a")
    try graph.send(#""x""#, to: "a")
    #expect(graph.said(by: "x") == ["x#1 [4]", "x#2 [2]", "x#3 [\(Self.text)]"])
  }

  private static let text =
    #"{"error":{"code":"bad_value","message":"string (\"x\") and number (1) cannot be added"}}"#

  @Test func `it comes behind the initial value, is held like any other, and none comes of a signal that has ended`()
    throws
  {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        x: {from: a, pipe: [{map: . + 1}, {take: 1}], on_error: emit, hold: {initial: 0}}
        """)
    try graph.send(#""x""#, to: "a")
    #expect(graph.signal("x").retained.all.map { "\($0.payload)" } == [Self.text])
    try graph.send("1", to: "a")
    try graph.send(#""x""#, to: "a")
    #expect(graph.said(by: "x") == ["x#1 0", "x#2 \(Self.text)", "x#3 2", "x completed"])
  }

  @Test func `a cold signal's runs have errors of their own`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        c: {from: a, cold: true, pipe: [{map: . + 1}, {map: '. * 2'}], on_error: emit}
        x: {from: c, pipe: [{map: '[.]'}]}
        """)
    try graph.send(#""x""#, to: "a")
    try graph.send("1", to: "a")
    #expect(graph.said(by: "x") == ["x#1 [\(Self.text)]", "x#2 [4]"])
  }

  @Test func `a source's lines that cannot be read come out behind the pipe, with their file where there are several`()
    throws
  {
    let graph = try TestGraph(
      signals: """
        one: {tail: {path: /one, format: json}, pipe: [{map: '.watts // 0'}], on_error: emit}
        all: {tail: {path: /d/*.log, glob: true, format: json}, pipe: [{map: '.value.watts // 0'}], on_error: emit}
        """)
    graph.tail("/one", .appended(Array("{\"watts\":5}\n{\n".utf8)))
    let place = TailPlace(device: 1, inode: 1, offset: 0)
    let lines = TailEvent.appended(Array("{\n{\"watts\":7}\n".utf8))
    graph.glob("/d/*.log", .began(place, path: "/d/a.log"), .tail(lines, of: FileNumbers(device: 1, inode: 1)))
    let said = graph.said(by: "one", "all")
    #expect(said.count == 4)
    #expect(said.first == "one#1 5")
    #expect(said.dropFirst().first?.hasPrefix(#"one#2 {"error":{"#) == true)
    #expect(said.dropFirst(2).first?.contains(#""path":"/d/a.log""#) == true)
    #expect(said.last == "all#2 7")
  }
}
