import Foundation
import JSON
import TestSupport
import Testing

@testable import GraphCatalogue
@testable import GraphEngine
@testable import GraphModel
@testable import GraphTools

struct TemplateTests {
  // MARK: Expansion

  @Test(arguments: [
    // A text, a value, and the variable of an expression.
    (
      "{room: , limit: 25}", "{room: bath}",
      "${room}: {input: {}}\nhot: {from: '${room}', pipe: [filter: .v > $limit]}",
      "bath: {input: {}}\nhot: {from: bath, pipe: [filter: 25 as $limit | .v > $limit]}"
    ),
    // The value of the first parameter alone.
    ("{room: }", "bath", "${room}: {input: {}}", "bath: {input: {}}"),
    // Values of every kind.
    (
      "{n: 5, t: a b, b: true, l: [1, {x: 2}], o: {k: [v]}}", "{}",
      "a: {values: [$n, $t, $b, $l, $o, '${n}${t}${b}']}",
      "a: {values: [5, a b, true, [1, {x: 2}], {k: [v]}, '5a btrue']}"
    ),
    ("{s: }", "{s: {from: b}}", "a: {merge: [$s, b]}\nb: {input: {}}", "a: {merge: [{from: b}, b]}\nb: {input: {}}"),
    (
      "{n: '7'}", "{}", "a:\n  range: {start: 1, count: 9}\n  pipe:\n    - take: ${n}",
      "a: {range: {start: 1, count: 9}, pipe: [take: 7]}"
    ),
    // A text in a text stays one: code or structure in it has no effect.
    (
      #"{t: '"\(1)", b: x'}"#, "{}", "a: {input: {}, pipe: [map: '. + $t', map_to: $t]}",
      #"a: {input: {}, pipe: [map: '"\"\\(1)\", b: x" as $t | . + $t', map_to: '"\(1)", b: x']}"#
    ),
    // A whole expression.
    ("{f: '.x * 2'}", "{}", "a: {input: {}, pipe: [map: '${f}']}", "a: {input: {}, pipe: [map: .x * 2]}"),
    // Environment variables are unchanged, and so are their escapes.
    (
      "{n: 1}", "{n: '${HOME_OF:-x}'}", "a: {values: ['${HOME_OF:-x}', '$${n}', '${n}', $n, '$${x}']}",
      "a: {values: ['${HOME_OF:-x}', '$${n}', '${HOME_OF:-x}', '${HOME_OF:-x}', '$${x}']}"
    ),
    // Other variables of expressions, and local ones of the same name.
    (
      "{n: 1}", "{}", "a: {input: {}, pipe: [scan: {initial: $n, next: '$state + (. as $n | $n)'}, map: $signal]}",
      "a: {input: {}, pipe: [scan: {initial: 1, next: '1 as $n | $state + (. as $n | $n)'}, map: $signal]}"
    ),
    // Labels and words.
    (
      "{l: t, op: b}", "{}", "a: {combine: {'${l}': '${op}'}}\nb: {input: {}}", "a: {combine: {t: b}}\nb: {input: {}}"
    ),
    (
      "{p: [skip_repeats, {map: .x}]}", "{}", "a: {input: {}, pipe: $p}",
      "a: {input: {}, pipe: [skip_repeats, {map: .x}]}"
    ),
    (
      "{n: , m: ~}", "{n: null, m: ~}", "a: {values: [$n, $m], pipe: [map: '[$n, .]']}",
      "a: {values: [null, ~], pipe: [map: 'null as $n | [$n, .]']}"
    ),
    (
      "{n: -1.50}", "{}", "a: {values: [$n], pipe: [map: .-$n]}",
      "a: {values: [-1.50], pipe: [map: -1.50 as $n | .-$n]}"
    ),
  ])
  func `a template stands for what it would be if it were written out`(
    parameters: String, use: String, signals: String, written: String
  ) throws {
    let indented = Self.indent(signals, by: 6)
    let template = try TestGraph.configuration(
      """
      signalbox: 1
      templates:
        t:
          parameters: \(parameters)
          signals:
      \(indented)
      graphs: {g: {use: {t: \(use)}}}
      """)
    Self.expect(template, equals: try TestGraph.configuration(signals: written))
  }

  @Test func `a list of uses gives the signals of each, behind the graph's own`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      graphs:
        g:
          use:
            room: [kitchen, {room: bath, limit: 28}]
            lamp:
          signals: {own: {input: {}}}
        h: {use: {lamp: }}
      templates:
        room: {parameters: {room: , limit: 25}, signals: {'${room}': {input: {}, pipe: [filter: . > $limit]}}}
        lamp: {signals: {lamp: {input: {}}}}
      """)
    #expect(
      configuration.graphs.flatMap(\.signals).map(\.name) == ["g.own", "g.kitchen", "g.bath", "g.lamp", "h.lamp"])
  }

  @Test func `a template gives whole graphs, and may use others`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      templates:
        wing:
          parameters: {wing: , rooms: }
          graphs:
            ${wing}:
              doc: The ${wing} wing
              signals: {any: {merge: ['${wing}.door']}}
              use: {door: {limit: $rooms}}
          use: {cellar: {wing: '${wing}'}}
        cellar: {parameters: {wing: }, graphs: {'${wing}_cellar': {signals: {light: {input: {}}}}}}
        door: {parameters: {limit: 1}, signals: {door: {input: {}, pipe: [take: $limit]}}}
      use: {wing: [{wing: east, rooms: 3}, {wing: west, rooms: 4}]}
      """)
    let graphs = configuration.graphs.map { ($0.name, $0.documentation, $0.signals.map(\.name)) }
    #expect(graphs.map(\.0) == ["east", "east_cellar", "west", "west_cellar"])
    #expect(graphs.map(\.1) == ["The east wing", nil, "The west wing", nil])
    #expect(graphs[2].2 == ["west.any", "west.door"])
  }

  @Test func `a template of another file can be used`() throws {
    let world = ConfigurationWorld(files: [
      "/c/signalbox.yaml": "signalbox: 1\ngraphs: {g: {use: {t: a}}}\n",
      "/c/conf.d/t.yaml": "signalbox: 1\ntemplates: {t: {parameters: {n: }, signals: {'${n}': {input: {}}}}}\n",
      "/c/conf.d/u.json": #"""
      {"signalbox": 1, "templates": {"u": {"parameters": {"n": 3},
       "signals": {"b": {"input": {}, "pipe": [{"take": "$n"}]}}}}, "graphs": {"g": {"use": {"u": null}}}}
      """#,
    ])
    let configuration = try Configuration.load(.withAdditions("/c"), inputs: world.inputs)
    #expect(configuration.graphs.flatMap(\.signals).map(\.name) == ["g.a", "g.b"])
  }

  @Test func `tests and actions of a template are those of each graph that uses it`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      templates:
        t:
          parameters: {name: , limit: }
          signals:
            ${name}: {input: {}}
            ${name}_hot: {from: '${name}', pipe: [map: '. > $limit']}
          actions:
            ${name}_fan:
              exec: [/bin/fan, '${name}']
              enabled_if: {from: '${name}_hot', pipe: [map: '. == ($limit > 0)']}
          tests:
            - {name: '${name} gets hot', values: {a: $limit}, given: {'${name}': a9}, expect: {'${name}_hot': ft}}
      graphs: {g: {use: {t: [{name: a, limit: 5}, {name: b, limit: 7}]}}}
      """)
    #expect(configuration.tests.map(\.name) == ["a gets hot", "b gets hot"])
    var outcomes: [TestOutcome] = []
    configuration.runTests { outcomes.append($0) }
    #expect(outcomes.count == 2)
    for outcome in outcomes { #expect(outcome.hasPassed, "\(outcome.report)") }
    let texts = configuration.graphs[0].actions.map { $0.signals[0].text.description }
    #expect(texts[0].contains(#"5 as $limit | . == ($limit > 0)"#), "\(texts)")
    #expect(texts[1].contains(#"7 as $limit | . == ($limit > 0)"#), "\(texts)")
  }

  @Test(arguments: [
    ("limit: 25", "limit: 26", ["g.hot"]), ("limit: 25", "limit: 25.0", ["g.hot"]), ("doc: A", "doc: B", []),
  ])
  func `a reload keeps the signals of a use in which nothing has changed`(
    old: String, new: String, changed: [String]
  ) throws {
    func configuration(_ limit: String) throws -> Configuration {
      try TestGraph.configuration(
        """
        signalbox: 1
        templates:
          t:
            \(limit.hasPrefix("doc") ? limit : "doc: A")
            parameters: {limit: 25}
            signals:
              raw: {input: {}}
              hot: {from: raw, pipe: [filter: . > $limit]}
        graphs: {g: {use: {t: {\(limit.hasPrefix("doc") ? "" : limit)}}}}
        """)
    }
    let graph = TestGraph(try configuration(old))
    let verdict = graph.reload(try configuration(new))
    #expect(verdict.changed == changed)
    #expect(verdict.kept.contains("g.raw"))
  }

  @Test func `the uses that led to an error are reported to tools, the nearest first`() throws {
    let text = """
      signalbox: 1
      templates:
        a: {parameters: {n: }, graphs: {'${n}': {use: {b: }}}}
        b: {signals: {x: {input: {}, pipe: [tak: 1]}}}
      use: {a: [g, h]}
      """
    let error = #expect(throws: ConfigurationError.self) { try TestGraph.configuration(text) }
    guard case .invalid(let diagnostics)? = error else { return }
    let json = DiagnosticRenderer.json(diagnostics).description
    #expect(diagnostics.list.count == 1)
    #expect(
      json.contains(
        #""origin":[{"file":"test.yaml","line":3,"column":50,"message":"used here"},"#
          + #"{"file":"test.yaml","line":5,"column":11,"message":"used here"}]"#), "\(json)")
  }

  // MARK: Bounds

  @Test(arguments: [
    // Each level doubles.
    (19, "{x: [$x, $x]}", "nodes after expansion of templates"),
    (26, "{x: '${x}${x}'}", "16 MiB of text after expansion of templates"),
    (15, "[{x: 1}, {x: 2}]", "more than 10000 uses of templates"),
    (150, "{x: [[$x]]}", "nested deeper than 200 levels after expansion of templates"),
  ])
  func `templates cannot stand for more than a bound`(levels: Int, arguments: String, message: String) throws {
    var text = "signalbox: 1\ntemplates:\n  t0: {parameters: {x: }, signals: {a: {values: [$x]}}}\n"
    for level in 1...levels {
      // The arguments double with each level, or the uses do.
      let use = arguments.hasPrefix("[") ? "[{x: 1}, {x: 2}]" : arguments
      text += "  t\(level): {parameters: {x: }, use: {t\(level - 1): \(use)}}\n"
    }
    text += "graphs: {g: {use: {t\(levels): {x: abcdefgh}}}}\n"
    let found = Self.mistakes(text)
    #expect(found.contains(message), "\(found.prefix(300))")
  }

  // MARK: Expanded text

  @Test(arguments: [
    "a b", "5", "true", "~", "", "- x", "-5", "a: b", "a #b", "#", "'", "\"", "it's", "\t", "a\tb", " a", "a ", "{",
    "}",
    "[a]", "*a", "&a", "!a", "%a", "@a", "`a", "a:", "12:30", "no", "<<", "null", "0x1F", "1.10", "\u{85}", "\u{FEFF}x",
    "ä → 日本", "a\nb", "a\nb\n", "\na", "a\n\nb", " a\nb", "a \nb", "a\n\n", "---", "...", "?", "? a", "a,b", "$${a}",
    "|", ">", "\\", "\\(x)", "\u{1F600}", "\u{0}", "\r\n", String(repeating: "k", count: 2000),
  ])
  func `what is written as YAML reads as it was`(text: String) throws {
    let world = ConfigurationWorld()
    let value = JSONValue.object([
      text: .array([
        .string(text), .object([text: .string(text), "b": .null]), .array([]), .array([.array([.string(text)])]),
      ])
    ])
    let json = value.description
    for (content, name) in [(json, "f.json"), (json, "f.yaml")] {
      let problems = Problems()
      let read = ConfigurationText.read(Array(content.utf8), name: name, index: 0, problems: problems).root
      // YAML is only almost a superset of JSON.
      guard let root = read else {
        #expect(name == "f.yaml")
        continue
      }
      let written = YAMLText().text(of: root)
      let (again, found) = world.read(written) { $0.node.declaration }
      #expect(again.written == root.declaration.written, "\(written)\(found)")
    }
  }

  private static let corpus: [String] = {
    let folders = ["Tests/GraphTests/Corpus", "docs/cookbook", "config", "Tests/GraphStories"]
    return folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: Committed.path(folder))) ?? [])
        .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
    }.sorted()
  }()

  @Test(arguments: corpus)
  func `a configuration and the same written out are one`(path: String) throws {
    let file = Committed.path(path)
    guard let (configuration, text) = try? Configuration.loadExpanded(.alone(file)) else { return }
    let again = try TestGraph.configuration(text)
    Self.expect(again, equals: configuration)
    #expect("\(again.server)" == "\(configuration.server)")
    #expect(again.tests.map(\.name) == configuration.tests.map(\.name))
    #expect(!text.contains(" use:") && !text.contains("templates:"))
    // Expanded text is unchanged by another expansion.
    let (_, second) = try Configuration.loadExpanded(.alone("x"), inputs: ConfigurationWorld(files: ["x": text]).inputs)
    #expect(second == text)
  }
}

extension TemplateTests {
  private static func indent(_ text: String, by count: Int) -> String {
    text.split(separator: "\n").map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
  }

  private static func expect(_ configuration: Configuration, equals other: Configuration) {
    #expect(configuration.graphs.map(\.name) == other.graphs.map(\.name))
    #expect(configuration.graphs.map(\.documentation) == other.graphs.map(\.documentation))
    #expect(configuration.graphs.map(\.durability) == other.graphs.map(\.durability))
    let (signals, others) = (configuration.graphs.flatMap(\.signals), other.graphs.flatMap(\.signals))
    #expect(signals.map(\.name) == others.map(\.name))
    for (signal, other) in zip(signals, others) {
      #expect(signal.text.written == other.text.written)
      #expect(signal.fingerprint == other.fingerprint)
      #expect("\(signal.traits)" == "\(other.traits)")
    }
  }

  static func mistakes(_ text: String) -> String {
    do throws(ConfigurationError) {
      let configuration = try Configuration.load(
        .alone("f.yaml"), inputs: ConfigurationWorld(files: ["f.yaml": text]).inputs)
      return DiagnosticRenderer.text(configuration.warnings)
    } catch {
      guard case .invalid(let diagnostics) = error else { return "\(error)" }
      return DiagnosticRenderer.text(diagnostics)
    }
  }
}
