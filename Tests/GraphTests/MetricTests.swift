import GraphModel
import Testing

@Suite struct `Metrics of signals` {
  private static func metric(_ signal: String) throws -> MetricDeclaration? {
    try TestGraph.configuration(signals: signal).graphs.first?.signals.first?.traits.metric
  }

  @Test(arguments: [
    ("in-door: {input: {}, hold: true, metric: true}", "g_in_door", nil),
    ("t: {input: {}, metric: true, unit_of_measurement: °C}", "g_t_celsius", "celsius"),
    ("t: {input: {}, metric: true, unit_of_measurement: boxes}", "g_t_boxes", "boxes"),
    ("t: {input: {}, metric: true, unit_of_measurement: 1/h}", "g_t", nil),
    ("t: {input: {}, metric: {name: room_celsius}, unit_of_measurement: °C}", "room_celsius", "celsius"),
    ("t: {input: {}, metric: {name: room}, unit_of_measurement: °C}", "room", nil),
    ("t: {input: {}, metric: {name: hits_total, type: counter}}", "hits", nil),
    ("total: {input: {}, metric: {type: counter}}", "g", nil),
  ])
  func `have a name and a unit`(signal: String, name: String, unit: String?) throws {
    let metric = try #require(try Self.metric(signal))
    #expect(metric.name == name && metric.unit == unit)
  }

  @Test(arguments: ["help: ROOM", "value: '.ROOM'", "labels: {room: '.ROOM'}"])
  func `are another one where a text differs only in the form of its characters`(part: String) throws {
    let metrics = try ["\u{e9}", "\u{e9}", "e\u{301}"].map { form in
      let text = part.replacing("'.ROOM'", with: "'\"\(form)\"'").replacing("ROOM", with: form)
      return try #require(try Self.metric("t: {input: {}, metric: {\(text)}}"))
    }
    #expect(metrics[0].isSame(as: metrics[1]))
    #expect(!metrics[0].isSame(as: metrics[2]))
  }

  @Test func `have the help of the signal`() throws {
    #expect(try Self.metric("t: {input: {}, doc: The room., metric: true}")?.help == "The room.")
    #expect(try Self.metric("t: {input: {}, metric: {help: x}}")?.help == "x")
    #expect(try Self.metric("t: {input: {}, metric: false}") == nil)
  }

  @Test(arguments: [
    (
      "t: {input: {type: string}, metric: true}", "a metric is a number or a boolean, and this signal takes strings"
    ),
    ("t: {input: {}, metric: {name: 'a b'}}", "\"a b\" is not a valid name of a metric"),
    ("t: {input: {}, metric: {name: 'a:b'}}", "\"a:b\" is not a valid name of a metric"),
    ("t: {input: {}, metric: {name: signalbox_x}}", "metrics whose names begin with signalbox_ are the daemon's own"),
    ("t: {input: {}, metric: {name: x_total}}", "only a counter has a name ending in _total"),
    ("t: {input: {}, metric: {type: sum}}", "expected one of gauge, counter"),
    ("t: {input: {}, metric: {labels: {le: .x}}}", "the label \"le\" is reserved"),
    ("t: {input: {}, metric: {labels: {__x: .x}}}", "\"__x\" is not a valid label"),
    ("t: {input: {}, metric: {labels: {x: '['}}}", ""),
    ("t: {input: {}, metric: {lables: {x: .}}}", "unknown key of a metric \"lables\""),
    ("t: {input: {}, metric: 3}", "expected true or false"),
    ("t: {input: {}, private: true, metric: true}", "a private signal cannot be a metric"),
    ("t: {interval: 1s, cold: true, metric: true}", "\"metric\" is not allowed on a cold signal"),
    ("t: {input: {}, metric: {name: a}}\nu: {input: {}, metric: {name: a}}", "duplicate metric \"a\""),
    ("a-b: {input: {}, metric: true}\na_b: {input: {}, metric: true}", "duplicate metric \"g_a_b\""),
    ("t: {merge: [{value: 1, metric: true}]}", "\"metric\" requires a named signal"),
  ])
  func `have errors that name their place`(signals: String, error: String) throws {
    do {
      _ = try TestGraph.configuration(signals: signals)
      Issue.record("it is accepted")
    } catch ConfigurationError.invalid(let diagnostics) {
      #expect(diagnostics.list.contains { $0.text.contains(error) && $0.place.line >= 5 }, "\(diagnostics.list)")
    }
  }
}
