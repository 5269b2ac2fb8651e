import GraphTools
import JSON
import Testing

@testable import GraphCatalogue
@testable import GraphEngine
@testable import GraphModel

@Suite struct `The type of the values sent to a signal` {
  @Test(arguments: [
    ("{type: number, minimum: 0, maximum: 30}", ["0", "30.0", "12.5"], "31", "a number from 0 to 30", "31"),
    ("{type: integer, minimum: 1}", ["1", "1e3"], "0", "an integer of at least 1", "0"),
    ("{type: integer, minimum: 1}", [], "1.5", "an integer of at least 1", "1.5"),
    ("{maximum: 2}", ["-7"], "2.1", "a number of at most 2", "2.1"),
    ("{type: number, minimum: 0, maximum: 30}", [], "\"7\"", "a number from 0 to 30", "a string"),
    ("{enum: [off, low, 3]}", ["\"off\"", "3", "3.0"], "\"high\"", "one of \"off\", \"low\", 3", "\"high\""),
    ("{type: string, enum: [off, low]}", ["\"low\""], "null", "one of \"off\", \"low\"", "null"),
    (
      "{type: object, fields: {name: string, level: {type: integer, minimum: 0}}}",
      [#"{"name":"a","level":0,"more":1}"#], "[]", "an object with the fields name, level", "an array"
    ),
    ("{fields: {a: {fields: {b: number}}}}", [], #"{"a":{"b":true}}"#, "a number in .a.b", "a boolean"),
    (
      "{fields: {a: {fields: {b: number}}}}", [], #"{"a":{}}"#, "an object with the field b in .a",
      "an object without b"
    ),
    (
      "{fields: {name: string, note: {type: string, optional: true}}}",
      [#"{"name":"a"}"#, #"{"name":"a","note":"b"}"#],
      #"{"name":"a","note":1}"#, "a string in .note", "a number"
    ),
    (
      "{fields: {a: {optional: true}, b: string}}", [#"{"b":""}"#], "{}", "an object with the field b",
      "an object without b"
    ),
    (
      "{fields: {level: number, name: string}}", [], #"{"name":"a","levl":1}"#, "an object with the fields level, name",
      "an object without level (but with levl)"
    ),
    ("{fields: {a: {type: number, optional: true}}}", ["{}"], #"{"a":null}"#, "a number in .a", "null"),
    ("{fields: {a: {type: number, optional: true}}}", [], "1", "an object", "a number"),
    ("{type: array, items: number}", ["[]", "[1,2.5]"], "[1,2,true]", "a number in .[2]", "a boolean"),
    ("{items: {enum: [on, off]}}", [#"["on"]"#], "{}", "an array", "an object"),
    (
      "{fields: {readings: {items: {fields: {celsius: {minimum: -50}}}}}}",
      [#"{"readings":[]}"#, #"{"readings":[{"celsius":1}]}"#],
      #"{"readings":[{"celsius":1},{"celsius":2},{"celsius":3},{"celsius":-60}]}"#,
      "a number of at least -50 in .readings[3].celsius", "-60"
    ),
    (
      "{items: {fields: {a b: {items: string}}}}", [#"[{"a b":["c"]}]"#], #"[{"a b":[0]}]"#,
      #"a string in .[0]["a b"][0]"#,
      "a number"
    ), ("{items: any}", ["[null,1]"], "null", "an array", "null"),
    ("{type: string}", ["\"\""], "1", "a string", "a number"), ("{}", ["null", "[1]"], "", "", ""),
  ])
  func `refuses what does not fit, and says what was expected`(
    type: String, accepted: [String], refused: String, expected: String, found: String
  ) throws {
    let graph = try TestGraph(signals: "a: {input: {type: \(type)}}")
    for value in accepted { try graph.send(value, to: "a") }
    #expect(graph.said().count == accepted.count)
    guard !refused.isEmpty else { return }
    #expect(throws: SendError.badValue(expected: expected, found: found)) { try graph.send(refused, to: "a") }
    #expect(graph.said().isEmpty)
  }

  @Test func `names a few of many values, and no long one`() throws {
    let many = (0..<3_000).map { "\"v\($0)\"" }.joined(separator: ", ")
    let graph = try TestGraph(signals: "a: {input: {type: {enum: [\(many)]}}}")
    let expected = (0..<10).map { "\"v\($0)\"" }.joined(separator: ", ") + ", …"
    let long = String(repeating: "x", count: 50)
    #expect(throws: SendError.badValue(expected: "one of \(expected)", found: "\"\(long)…\"")) {
      try graph.send("\"\(long)\(long)\"", to: "a")
    }
  }

  @Test func `refuses a value from a pipe, too`() throws {
    let graph = try TestGraph(
      signals: "a: {property: {initial: 1, type: {maximum: 5}}}\nb: {input: {}, pipe: [{send_to: a}]}")
    try graph.send("6", to: "b")
    #expect(graph.refusals.map(\.failure.message) == ["g.a takes a number of at most 5, not 6"])
    try graph.send("5", to: "b")
    #expect(graph.said(by: "a").last == "a#2 5")
  }

  private static func errors(_ signals: String) -> Diagnostics {
    do {
      let text = "signalbox: 1\ngraphs: {g: {signals: {\(signals)}}}\n"
      return try Configuration.load(.alone("x"), inputs: ConfigurationWorld(files: ["x": text]).inputs).warnings
    } catch {
      guard case .invalid(let diagnostics) = error else { return Diagnostics([]) }
      return diagnostics
    }
  }

  @Test(arguments: [
    ("{type: number, minimum: 5, maximum: 3}", "maximum is less than minimum"),
    ("{type: string, minimum: 0}", "a string has no \"minimum\""),
    ("{type: number, fields: {a: string}}", "a number has no \"fields\""),
    ("{type: objekt}", "did you mean \"object\"?"), ("{typ: number}", "did you mean \"type\"?"),
    ("{enum: []}", "expected at least one value"), ("{enum: [a, b, a]}", "duplicate value \"a\""),
    ("{type: number, enum: [1, two]}", "the type is a number, not a string"),
    ("{enum: [1, 9], maximum: 5}", "the type is a number of at most 5, not 9"),
    ("{fields: {}}", "expected fields with their types, as in {name: string}"),
    ("{fields: {a: nmber}}", "did you mean \"number\"?"), ("nmber", "did you mean \"number\"?"),
    ("{minimum: low}", "expected a number"),
    ("{type: string, items: number}", "a string has no \"items\""), ("{items: nmber}", "did you mean \"number\"?"),
    ("{fields: {a: {type: string, optoinal: true}}}", "did you mean \"optional\"?"),
    ("{fields: {a: {type: string, optional: 1}}}", "expected true or false"),
    ("{type: string, optional: true}", "only a field of an object is optional"),
    ("{items: {type: string, optional: true}}", "only a field of an object is optional"),
    ("{items: number, enum: [[1], [a]]}", "the type is a number in .[0], not a string"),
    ("{type: integer, minimum: 0.5, maximum: 3}", "the minimum of integers is an integer"),
  ])
  func `is checked where it is declared`(type: String, error: String) {
    let errors = Self.errors("a: {input: {type: \(type)}}")
    #expect(errors.list.count == 1 && DiagnosticRenderer.text(errors).contains(error), "\(errors.list)")
  }

  @Test func `must fit the initial value`() {
    let errors = Self.errors("a: {property: {initial: 31, type: {minimum: 0, maximum: 30}}}")
    #expect(errors.list.map(\.message) == ["property: the initial value is 31, not a number from 0 to 30"])
  }

  @Test func `restarts its signal when a reload changes it, with the initial value`() throws {
    let graph = try TestGraph(signals: "a: {property: {initial: 1, type: {maximum: 50}}}")
    try graph.send("40", to: "a")
    _ = graph.said()
    _ = graph.reload(try TestGraph.configuration(signals: "a: {property: {initial: 1, type: {maximum: 30}}}"))
    #expect(graph.said() == ["a#3 1"])
  }

  @Test(arguments: [
    (
      "property: {initial: 20, type: {minimum: 5, maximum: 30}}",
      #""component":"number","signal":"g.a","min":5,"max":30"#
    ),
    (
      "property: {initial: low, type: {enum: [off, low]}}",
      #""component":"select","signal":"g.a","options":["off","low"]"#
    ),
    ("input: {type: integer}", #""component":"number","signal":"g.a","integer":true"#),
  ])
  func `gives an entity of Home Assistant its range and its options`(source: String, settings: String) throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      server: {connections: {home: {mqtt: 'mqtt://h', discovery: homeassistant}}}
      graphs: {g: {signals: {a: {\(source), publish: {mqtt: {connection: home, topic: t}}}}}}
      """)
    let announced = Entity.settings(nil, of: configuration.graphs[0].signals[0], Problems())
    #expect(announced.map { JSONValue.object($0).description.contains(settings) } == true, "\(announced ?? [:])")
  }
}
