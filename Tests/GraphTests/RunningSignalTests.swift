import GraphEngine
import GraphModel
import JSON
import Testing

@Suite struct RunningSignalTests {
  @Test func `a property holds its initial value as number 1 and takes what clients send`() throws {
    let graph = try TestGraph(signals: "limit: {property: {initial: 25, type: number}}")
    #expect(graph.signal("limit").isHeld)
    try graph.send("30.50", to: "limit")
    #expect(graph.said() == ["limit#1 25", "limit#2 30.50"])
    #expect(graph.signal("limit").retained.last?.payload.description == "30.50")
  }

  @Test(arguments: [
    ("object", "{}", true), ("object", "[]", false), ("number", "1.5", true), ("number", "\"1\"", false),
    ("integer", "3", true), ("integer", "3.0", true), ("integer", "3.5", false), ("integer", "null", false),
    ("string", "\"\"", true), ("boolean", "false", true), ("boolean", "0", false), ("array", "[1]", true),
    ("any", "null", true),
  ])
  func `an input takes only values of its type`(type: String, json: String, isTaken: Bool) throws {
    let graph = try TestGraph(signals: "a: {input: {type: \(type)}}")
    if isTaken {
      try graph.send(json, to: "a")
      #expect(graph.said() == ["a#1 \(json)"])
    } else {
      #expect(throws: SendError.self) { try graph.send(json, to: "a") }
      #expect(graph.said() == [])
    }
  }

  @Test func `of several values none is sent when one does not fit`() throws {
    let graph = try TestGraph(signals: "a: {input: {type: number}}")
    var taken = 0
    #expect(throws: SendError.badValue(expected: "a number", found: "a string, in value 2 of 2")) {
      try graph.runtime.send([.value(1), .value("x")], to: graph.signal("a"), taken: &taken)
    }
    #expect(graph.said() == [])
  }

  @Test func `only an input can be sent to, and only until it has ended`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        b: {from: a}
        """)
    #expect(throws: SendError.notAnInput(kind: .derived)) { try graph.send("1", to: "b") }
    #expect(throws: SendError.notAnInput(kind: .derived)) {
      try graph.runtime.end(graph.signal("b"), with: .completed)
    }
    try graph.runtime.end(graph.signal("a"), with: .completed)
    #expect(throws: SendError.ended) { try graph.send("1", to: "a") }
    #expect(graph.said() == ["a completed", "b completed"])
  }

  @Test func `an input that is not endable cannot be ended`() throws {
    let graph = try TestGraph(signals: "a: {input: {}}")
    #expect(throws: SendError.notEndable) { try graph.runtime.end(graph.signal("a"), with: .completed) }
  }

  @Test func `hold and replay keep the last values for new subscribers`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        held: {from: a, hold: true}
        started: {from: a, hold: {initial: 0}}
        replayed: {from: a, replay: 2}
        """)
    #expect(graph.signal("started").retained.last?.sequence == 1)
    #expect(!graph.signal("held").isHeld)
    for value in ["1", "2", "3"] { try graph.send(value, to: "a") }
    #expect(graph.signal("held").retained.latest(9).map(\.payload.description) == ["3"])
    #expect(graph.signal("replayed").retained.latest(9).map(\.sequence) == [2, 3])
    #expect(graph.signal("replayed").retained.latest(1).map(\.sequence) == [3])
    #expect(graph.signal("started").sequence == 4)
  }

  @Test func `a file is a property that is read again and again and emits when it has changed`() throws {
    let configuration = try TestGraph.configuration(
      signals: """
        load: {file: {path: /proc/loadavg, every: 1s}, pipe: [{map: 'split(" ") | first | tonumber'}]}
        """)
    let graph = TestGraph(configuration)
    #expect(graph.said() == [])
    graph.files["/proc/loadavg"] = Array("0.5 1 2\n".utf8)
    graph.advance(to: 1)
    graph.advance(to: 2)
    graph.files["/proc/loadavg"] = Array("0.75 1 2\n".utf8)
    graph.advance(to: 3)
    #expect(graph.said() == ["load#1 0.5", "load#2 0.75"])
    #expect(graph.signal("load").isHeld)
  }

  @Test func `a value that an expression refuses is dropped, counted and reported, and the graph lives on`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        b: {from: a, pipe: [{map: .v + 1}]}
        c: {from: a, pipe: [{map: .v + 1}], on_error: emit}
        d: {from: a, pipe: [{map: .v + 1}], on_error: fail}
        """)
    try graph.send("[1]", to: "a")
    try graph.send(#"{"v":1}"#, to: "a")
    let said = graph.said(by: "b", "c", "d")
    #expect(said.filter { $0.hasPrefix("b") } == ["b#1 2"])
    #expect(said.filter { $0.hasPrefix("c") }.count == 2)
    #expect(said.contains { $0.hasPrefix(#"c#1 {"error":{"code":"bad_value","message":"Cannot index"#) })
    #expect(said.filter { $0.hasPrefix("d") } == ["d failed bad_value"])
    #expect(graph.signal("b").losses.errors == 1)
    #expect(graph.refusals.first?.operatorName == "map")
    #expect(graph.refusals.first?.value == [1])
  }

  @Test func `what passes untouched keeps its bytes`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        b: {from: a, pipe: [{filter: .v > 1}]}
        c: {from: b, pipe: [{map: "{big, v}"}]}
        """)
    try graph.send(#"{"v":1.50,"big":12345678901234567890}"#, to: "a")
    #expect(
      graph.said(by: "b", "c") == [
        #"b#1 {"v":1.50,"big":12345678901234567890}"#, #"c#1 {"big":12345678901234567890,"v":1.50}"#,
      ])
  }
}
