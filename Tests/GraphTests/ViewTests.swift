import GraphTools
import JSON
import Testing

@testable import GraphCatalogue
@testable import GraphEngine
@testable import GraphModel

@Suite struct `The views of a configuration` {
  private static let graphs = """
    signalbox: 1
    graphs:
      climate:
        signals:
          raw: {input: {type: number}}
          smooth: {from: raw, pipe: [{map: . * 2}], hold: true}
          limit: {property: {initial: 25, type: {minimum: 5, maximum: 30}}}
          heating: {property: {initial: false}}
          mode: {property: {initial: low, type: {enum: [off, low]}}}
          note: {property: {initial: a, type: string}}
          order: {input: {type: {fields: {item: string, count: {type: integer, minimum: 1, optional: true}, sizes: {items: number}}}}}
          secret: {property: {initial: 1}, private: true}
        actions:
          off: {exec: [/bin/true]}

    """

  private static func views(_ text: String) throws -> [ViewDeclaration] {
    try TestGraph.configuration(graphs + "views:\n  " + text.replacing("\n", with: "\n  ") + "\n").views
  }

  /// Returns the errors in the views that are put behind the graphs.
  private static func errors(_ text: String) -> [Diagnostic] {
    errors(in: ["signalbox.yaml": graphs + "views:\n  " + text.replacing("\n", with: "\n  ") + "\n"])
  }

  private static func errors(in files: [String: String]) -> [Diagnostic] {
    do {
      _ = try Configuration.load(.withAdditions("signalbox.yaml"), inputs: ConfigurationWorld(files: files).inputs)
      return []
    } catch {
      guard case .invalid(let diagnostics) = error else { return [] }
      return diagnostics.list
    }
  }

  @Test func `show each signal in the form that goes with it`() throws {
    let views = try Self.views(
      """
      kitchen:
        title: The kitchen
        doc: Cook here
        show: [climate.smooth, climate.raw, climate.limit, climate.heating, climate.mode, climate.note, climate.off]
      """)
    #expect(
      views.map(\.name) == ["kitchen"] && views[0].title == "The kitchen" && views[0].documentation == "Cook here")
    #expect(views[0].entries.map(\.form) == [.value, .text, .slider, .toggle, .choice, .text, .button])
    #expect(
      views[0].entries.map { JSONValue.object($0.members).description } == [
        #"{"signal":"climate.smooth","as":"value"}"#, #"{"signal":"climate.raw","as":"text","type":"number"}"#,
        #"{"signal":"climate.limit","as":"slider","type":"number","minimum":5,"maximum":30}"#,
        #"{"signal":"climate.heating","as":"toggle","type":"boolean"}"#,
        #"{"signal":"climate.mode","as":"choice","type":"string","enum":["off","low"]}"#,
        #"{"signal":"climate.note","as":"text","type":"string"}"#, #"{"action":"climate.off","as":"button"}"#,
      ])
  }

  @Test(arguments: [
    (
      "{signal: climate.smooth, as: plot, title: Air, period: 6h}",
      #""as":"plot","title":"Air","period":21600,"held":true"#
    ),
    (
      "{signals: [climate.smooth, climate.raw], as: plot, title: Air, period: 6h, maximum: 30, minimum: 0}",
      #"{"signals":[{"signal":"climate.smooth","held":true},{"signal":"climate.raw","held":false}],"as":"plot","#
        + #""title":"Air","period":21600,"minimum":0,"maximum":30}"#
    ),
    ("{signals: [climate.limit, climate.heating]}", #""held":true}],"as":"plot","period":3600}"#),
    ("{signal: climate.raw, as: plot}", #""as":"plot","period":3600,"held":false"#),
    ("{signal: climate.smooth, as: gauge, minimum: 0, maximum: 40}", #""as":"gauge","minimum":0,"maximum":40"#),
    ("{signal: climate.limit, as: gauge}", #""as":"gauge","minimum":5,"maximum":30"#),
    ("{signal: climate.limit, maximum: 20}", #""as":"slider","type":"number","minimum":5,"maximum":20"#),
    ("{signal: climate.raw, as: slider, minimum: 0, maximum: 1}", #""as":"slider","type":"number","minimum":0"#),
    ("{signal: climate.limit, as: plot}", #"{"signal":"climate.limit","as":"plot","period":3600,"held":true}"#),
    ("{signal: climate.smooth, as: light}", #""as":"light""#),
    ("{signal: climate.heating, as: button}", #""as":"button","type":"boolean","press":true"#),
    ("{signal: climate.limit, press: 20}", #""as":"button","type":"number","press":20"#),
    ("{signal: climate.off, title: All off}", #"{"action":"climate.off","as":"button","title":"All off"}"#),
    (
      "{signal: climate.order}",
      #"{"signal":"climate.order","as":"text","type":"object","fields":{"item":"string","#
        + #""count":{"type":"integer","minimum":1,"optional":true},"sizes":{"type":"array","items":"number"}}}"#
    ),
    ("{signal: climate.limit, as: text}", #""as":"text","type":"number","minimum":5,"maximum":30}"#),
    ("{signal: signalbox.errors}", #"{"signal":"signalbox.errors","as":"value"}"#),
  ])
  func `show it in another form, if that fits`(entry: String, members: String) throws {
    let view = try #require(try Self.views("v: {show: [\(entry)]}").first)
    #expect(view.title == "v")
    #expect(view.entries.count == 1 && JSONValue.object(view.entries[0].members).description.contains(members))
  }

  @Test func `name signals by patterns, too, and a signal twice`() throws {
    let view = try #require(try Self.views("v: {show: ['climate.*', 'c*.s*', climate.smooth]}").first)
    #expect(
      view.entries.map(\.name) == [
        "climate.raw", "climate.smooth", "climate.limit", "climate.heating", "climate.mode", "climate.note",
        "climate.order", "climate.smooth", "climate.smooth",
      ])
  }

  @Test func `show all signals of a pattern in one form, with titles that it gives`() throws {
    let rooms =
      "  rooms:\n    signals:\n"
      + ["bath", "hall"].map {
        "      \($0)_t: {input: {type: number}}\n      \($0)_lamp: {property: {initial: false}}\n"
      }
      .joined()
    let text =
      Self.graphs + rooms + """
        views:
          v:
            show:
              - {signal: rooms.*_t, as: gauge, minimum: 0, maximum: 40, title: "The *"}
              - {signal: "*.*_lamp", title: "* of *"}
              - {signals: [rooms.*_t, climate.raw], title: All}

        """
    let view = try #require(try TestGraph.configuration(text).views.first)
    #expect(
      view.entries.map(\.name) == [
        "rooms.bath_t", "rooms.hall_t", "rooms.bath_lamp", "rooms.hall_lamp", "rooms.bath_t",
      ])
    #expect(view.entries.map(\.form) == [.gauge, .gauge, .toggle, .toggle, .plot])
    #expect(view.entries.map(\.title) == ["The bath", "The hall", "rooms of bath", "rooms of hall", "All"])
    #expect(view.entries[4].curves.map(\.name) == ["rooms.bath_t", "rooms.hall_t", "climate.raw"])
  }

  private static let template = """
    signalbox: 1
    templates:
      room:
        parameters: {room: }
        signals:
          ${room}_t: {input: {type: number}}
          ${room}_lamp: {property: {initial: false}}
        views:
          ${room}: {title: "Room ${room}", show: ["${room}_t", house.outside]}
          rooms: {title: All rooms, show: [{signal: "${room}_t", title: "${room}"}, {signals: ["${room}_t", "${room}_lamp"]}]}
    graphs:
      house:
        signals:
          outside: {input: {}}
        use: {room: [bath, hall]}
        views:
          door: {show: [outside]}

    """

  @Test func `come with each use of a template, which may add to a view of all`() throws {
    let inputs = ConfigurationWorld(files: ["x": Self.template]).inputs
    let (first, expanded) = try Configuration.loadExpanded(.alone("x"), inputs: inputs)
    #expect(first.views.map(\.name) == ["door", "bath", "rooms", "hall"])
    #expect(first.views.map(\.title) == ["door", "Room bath", "All rooms", "Room hall"])
    #expect(first.views[0].entries.map(\.name) == ["house.outside"])
    #expect(first.views[1].entries.map(\.name) == ["house.bath_t", "house.outside"])
    #expect(first.views[2].entries.map(\.name) == ["house.bath_t", "house.bath_t", "house.hall_t", "house.hall_t"])
    #expect(first.views[2].entries.map(\.title) == ["bath", nil, "hall", nil])
    let again = try Configuration.load(.alone("x"), inputs: ConfigurationWorld(files: ["x": expanded]).inputs)
    #expect(again.views == first.views, "\(expanded)")
  }

  @Test func `come with the graphs of a template, under full names`() throws {
    let text = """
      signalbox: 1
      templates:
        room:
          parameters: {room: }
          graphs:
            ${room}: {signals: {t: {input: {type: number}}}}
          views:
            rooms: {show: [{signal: "${room}.t", title: "${room}"}]}
      views:
        rooms: {title: All, show: [attic.t]}
      graphs:
        attic: {signals: {t: {input: {}}}}
      use: {room: [bath, hall]}

      """
    let view = try #require(try TestGraph.configuration(text).views.first)
    #expect(view.title == "All" && view.entries.map(\.name) == ["attic.t", "bath.t", "hall.t"])
  }

  @Test(arguments: [
    ("[\"${room}_t\", house.outside]", "[\"${room}_x\"]", 9, "no signal \"bath_x\" in graph \"house\"", "bath_t"),
    ("title: All rooms", "title: \"${room}\"", 10, "the view has another title already", nil),
    ("show: [outside]", "show: [outsid]", 17, "no signal \"outsid\" in graph \"house\"", "outside"),
    ("[outside]", "[\"*_x\"]", 17, "no signal matches \"house.*_x\"", nil),
    ("house.outside]}", "house.outsid]}", 9, "no signal \"house.outsid\"", "house.outside"),
    ("use: {room: [bath, hall]}", "use: {}", 15, "", nil),
  ])
  func `of templates are checked where they are written`(
    part: String, other: String, line: Int, message: String, suggestion: String?
  ) throws {
    let errors = Self.errors(in: ["signalbox.yaml": Self.template.replacing(part, with: other)])
    guard !message.isEmpty else {
      #expect(errors.isEmpty)
      return
    }
    #expect(errors.map(\.message) == [message], "\(errors)")
    #expect(errors.first?.place.line == line && errors.first?.suggestion == suggestion, "\(errors)")
  }

  @Test(
    arguments: [
      ("a.*", "a.b", ["b"]), ("a.*", "a.b.c", nil), ("*.x_*_y", "a.x_b_y", ["a", "b"]),
      ("a.*b*", "a.abbc", ["a", "bc"]),
      ("a.b", "a.b", []), ("a.b*", "a.b", [""]), ("a.*_t", "a.t", nil),
    ] as [(String, String, [String]?)])
  func `are told what wildcards stand for`(pattern: String, name: String, captures: [String]?) throws {
    #expect(try #require(ViewPattern(pattern)).captures(in: name) == captures)
  }

  @Test(arguments: [
    ("[climate.smoth]", "no signal \"climate.smoth\"", "climate.smooth"),
    ("[smooth]", "no signal \"smooth\": a view names signals in full", "climate.smooth"),
    ("['climat.*']", "no signal matches \"climat.*\"", nil),
    ("['climate.[a-z]*']", "no signal matches \"climate.[a-z]*\"", nil),
    ("[climate.secret]", "\"climate.secret\" is private: no client may see it", nil),
    ("[]", "expected at least one signal", nil), ("climate.smooth", "expected a list, found \"climate.smooth\"", nil),
    ("[{signal: climate.smooth, as: lamp}]", "expected one of value, light, plot, gauge, toggle", nil),
    ("[{signal: climate.smooth, titel: x}]", "unknown key \"titel\"", "title"),
    ("[{as: light}]", "missing \"signal\"", nil),
    ("[{signals: [climate.smooth, climate.smoth]}]", "no signal \"climate.smoth\"", "climate.smooth"),
    ("[{signals: [climate.smooth, raw]}]", "no signal \"raw\": a view names signals in full", "climate.raw"),
    ("[{signals: [climate.smooth]}]", "a plot has 2 to 8 signals, and this one has 1", nil),
    (
      "[{signals: [climate.smooth, climate.note]}]",
      "a plot of several signals is for numbers and booleans, and \"climate.note\" takes a string", nil
    ),
    (
      "[{signals: [climate.smooth, climate.off]}]",
      "a plot of several signals is for numbers and booleans, and \"climate.off\" is an action", nil
    ),
    ("[{signals: [climate.raw, climate.raw]}]", "duplicate signal \"climate.raw\"", nil),
    ("[{signals: [climate.raw, climate.secret]}]", "\"climate.secret\" is private: no client may see it", nil),
    (
      "[{signals: [climate.raw, climate.limit], as: gauge}]",
      "a gauge shows one signal: several are shown as a plot", nil
    ),
    (
      "[{signals: [climate.raw, climate.limit], signal: climate.raw}]",
      "give either \"signal\" or \"signals\", not both", nil
    ), ("[{signals: climate.raw}]", "expected a list, found \"climate.raw\"", nil),
    (
      "[{signal: climate.raw, as: slider}]", "a slider needs a range: give minimum and maximum, here or in the type",
      nil
    ),
    ("[{signal: climate.smooth, as: gauge}]", "a gauge needs a range: give minimum and maximum", nil),
    (
      "[{signal: climate.limit, as: toggle}]", "a toggle sends true and false, and \"climate.limit\" takes a number",
      nil
    ),
    ("[{signal: climate.note, as: light}]", "a light shows true and false, and \"climate.note\" takes a string", nil),
    (
      "[{signal: climate.note, as: slider, minimum: 0, maximum: 1}]", "a slider is for numbers, and \"climate.note\"",
      nil
    ),
    (
      "[{signal: climate.limit, maximum: 40}]",
      "the slider reaches 40, and \"climate.limit\" takes a number from 5 to 30", nil
    ),
    ("[{signal: climate.limit, maximum: 4}]", "maximum is not greater than minimum", nil),
    ("[{signal: climate.note, as: choice}]", "a choice needs values: give the type of \"climate.note\" an enum", nil),
    ("[{signal: climate.smooth, as: toggle}]", "a toggle sends values, and \"climate.smooth\" takes none", nil),
    ("[{signal: climate.limit, as: button}]", "the button sends a boolean, and \"climate.limit\" takes a number", nil),
    ("[{signal: signalbox.errors, as: toggle}]", "a toggle sends values, and \"signalbox.errors\" takes none", nil),
    ("[{signal: climate.off, as: plot}]", "\"climate.off\" is an action, which is shown as a button", nil),
    ("[{signal: climate.smooth, period: 1h}]", "a value has no \"period\"", nil),
    ("[{signal: climate.smooth, as: plot, period: 1s}]", "must be at least 10s", nil),
  ])
  func `are checked where they are declared`(show: String, message: String, suggestion: String?) throws {
    let errors = Self.errors("v:\n  show: \(show)")
    #expect(errors.count == 1, "\(errors)")
    #expect(errors.first?.message.hasPrefix(message) == true, "\(errors)")
    #expect(errors.first?.place.line == 17 && errors.first?.suggestion == suggestion, "\(errors)")
  }

  @Test func `report all errors at once`() throws {
    let errors = Self.errors(
      "a: {shwo: [climate.raw]}\nb: {show: [climate.nothing, {signal: climate.limit, as: toggle}], title: [x]}\n'a b': {show: [climate.raw]}"
    )
    #expect(errors.map(\.place.line) == [16, 17, 17, 17, 18], "\(errors)")
  }

  @Test func `say nothing of a signal whose own error is reported`() throws {
    let text = Self.graphs.replacing(". * 2", with: ". *") + "views: {v: {show: [climate.smooth]}}\n"
    #expect(Self.errors(in: ["signalbox.yaml": text]).count == 1)
  }

  @Test func `are bounded`() throws {
    let many = (0...100).map { "v\($0): {show: [climate.raw]}" }.joined(separator: "\n")
    #expect(Self.errors(many).map(\.message) == ["a configuration has at most 100 views"])
    let long = Array(repeating: "climate.raw", count: 201).joined(separator: ", ")
    #expect(
      Self.errors("v: {show: [\(long)]}").map(\.message) == ["a view shows at most 200 signals, and this one has 201"])
  }

  @Test func `are put together from all files, each in one`() throws {
    let files = [
      "signalbox.yaml": Self.graphs + "views: {a: {show: [climate.raw]}}\n",
      "conf.d/b.yaml": "signalbox: 1\nviews: {b: {show: [climate.note]}}\n",
      "conf.d/c.yaml": "signalbox: 1\nviews: {a: {show: [climate.note]}}\n",
    ]
    let some = files.filter { $0.key != "conf.d/c.yaml" }
    let configuration = try Configuration.load(
      .withAdditions("signalbox.yaml"), inputs: ConfigurationWorld(files: some).inputs)
    #expect(configuration.views.map(\.name) == ["a", "b"])
    let errors = Self.errors(in: files)
    #expect(errors.map(\.message) == ["duplicate view \"a\""])
    #expect(errors.first?.related?.place.description.hasPrefix("signalbox.yaml:") == true)
  }

  @Test func `are in the expanded text`() throws {
    let text = Self.graphs + "views: {a: {title: A, show: [climate.raw, {signal: climate.smooth, as: plot}]}}\n"
    let inputs = ConfigurationWorld(files: ["x": text]).inputs
    let (first, expanded) = try Configuration.loadExpanded(.alone("x"), inputs: inputs)
    let again = try Configuration.load(.alone("x"), inputs: ConfigurationWorld(files: ["x": expanded]).inputs)
    #expect(again.views == first.views && first.views.count == 1)
  }

  @Test func `are no change of a signal for a reload`() throws {
    let graph = TestGraph(try TestGraph.configuration(Self.graphs))
    _ = graph.said()
    let verdict = graph.reload(
      try TestGraph.configuration(Self.graphs + "views: {a: {show: [climate.raw]}}\n"))
    #expect(graph.said().isEmpty, "\(verdict)")
    #expect(graph.runtime.configuration.views.map(\.name) == ["a"])
  }
}
