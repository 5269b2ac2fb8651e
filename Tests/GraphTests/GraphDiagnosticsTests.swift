import GraphCatalogue
import GraphModel
import Testing

@Suite struct GraphDiagnosticsTests {
  @Test func `every error of a file is reported at once, with its place and advice`() throws {
    #expect(diagnostics(of: Self.mistakes) == Self.complaints)
  }

  @Test func `what cannot work is no error in a configuration that has run before`() throws {
    let text = """
      signalbox: 1
      server: {connections: {web: {http: 'http://web'}}}
      graphs:
        g:
          signals:
            in: {input: {}}
            number: {input: {type: number}}
            lost: {from: in, pipe: [{call: {action: a, dead_letter: number}}]}
          actions: {a: {http: {connection: web, path: '"rooms/\\(.room)"'}}}
      """
    let inputs = ConfigurationWorld(files: ["test.yaml": text]).inputs
    let recorded = try Configuration.loadWithPlaces(.alone("test.yaml"), inputs: inputs, isRecorded: true)
    #expect(recorded.configuration.graphs[0].signals.prefix(3).map(\.name) == ["g.in", "g.number", "g.lost"])
    #expect(throws: ConfigurationError.self) { try Configuration.load(.alone("test.yaml"), inputs: inputs) }
  }

  @Test(arguments: [
    ("x: 5", "a signal must be a mapping with a source, such as \"input: {}\" or \"from: other\""),
    ("x: {from: other.graph}", "no graph \"other\""),
    ("x: {from: g.y}", "no signal \"y\" in graph \"g\""),
    ("x: {from: signalbox.eror}", "no signal \"eror\" in graph \"signalbox\""),
    (
      "x: {interval: 1s, cold: true, hold: true}",
      "\"hold\" is not allowed on a cold signal, which runs once per subscriber"
    ),
    ("x: {from: {value: 1, lazy: true}}", "\"lazy\" requires a named signal: an inline signal has no subscribers"),
    (
      "x: {input: {}, hold: true, replay: {for: 1s}}",
      "hold and replay {for} exclude each other: hold keeps the last value without limit"
    ),
    ("x: {from: 'a b'}", "expected a signal: its name, or a declaration in braces"),
    ("x: {never: true, pipe: [retry]}", "retry: delay or backoff is required without times"),
    ("x: {never: true, pipe: [{retry: {delay: 0s}}]}", "retry: without times the delay must be 1ms or more"),
    ("x: {never: true, pipe: [repeat]}", "repeat: give times, or a delay"),
    (
      "x: {input: {}, pipe: [{group_by: {key: .id, pipe: [count]}}]}",
      "group_by: unbounded memory of keys: give max_keys or idle"
    ),
    (
      "x: {input: {}, pipe: [{group_by: {key: .id, idle: 1s, pipe: [{retry: 1}]}}]}",
      "retry starts its source, but a group has no source"
    ),
    (
      "x: {input: {}, pipe: [{flat_map: {latest: {value: 1}, merge: {value: 2}}}]}",
      "flat_map: give exactly one of latest, merge, concat, first and race"
    ),
    (
      "x: {input: {}, pipe: [{flat_map: {latest: {value: 1}, limit: 5}}]}", "flat_map: limit requires merge or concat"
    ),
    ("x: {tuple: [{value: 1}]}", "tuple: tuple needs a map: the keys label its values"),
    ("x: {marble: {diagram: '-a-(b'}}", "in this diagram, this parenthesis is not closed"),
    ("x: {merge: []}", "expected at least one signal"),
    ("x: {merge: [{input: {}}]}", "an inline \"input\" cannot be sent to: declare it as a named signal"),
    ("x: {from: {value: 1, hold: true}}", "\"hold\" requires a named signal: an inline signal has no subscribers"),
    ("x: {property: {initial: a, type: number}}", "property: the initial value is a string, not a number"),
    ("x: {interval: 500us}", "expected a duration such as 250ms, 2s or 1m30s, found \"500us\""),
    ("x: {input: {}, pipe: [{sample: {every: 0s}}]}", "must be at least 1ms"),
    ("x: {interval: 0s}", "must be at least 1ms"),
    ("x: {input: {}, pipe: [{window: {count: 2, time: 1s}}]}", "window: give exactly one of count, time and every"),
    ("x: {input: {}, pipe: [{window: {count: 2, emit: both}}]}", "window: emit: both requires time or every"),
    ("x: {input: {}, pipe: [{map: 'foo(1)'}]}", "no function foo"),
    ("x: {input: {}, pipe: [{map: $state}]}", "$state is not defined; there is $signal"),
    ("x: {input: {}, access: {send: root}}", "expected a list of names, \"@group\", \"uid:N\" or \"gid:N\""),
    ("a b: {input: {}}", "invalid name \"a b\": use letters, digits, \"_\" and \"-\""),
  ])
  func `an error is reported in words that help`(signal: String, message: String) {
    let found = problems(of: "signalbox: 1\ngraphs:\n  g:\n    signals:\n      \(signal)\n")
    #expect(found.map(\.message) == [message])
  }

  @Test(
    arguments: ["input: {}", "property: {initial: 1}", "file: {path: /f, write: true}", "file: /f, write: true"],
    ["lazy", "cold"])
  func `what takes values runs always`(source: String, trait: String) {
    let signal = "x: {\(source), \(trait): true}"
    let found = problems(of: "signalbox: 1\ngraphs:\n  g:\n    signals:\n      \(signal)\n")
    #expect(
      found.map(\.message) == [
        "\"\(trait)\" is not allowed on a signal that takes values: declare a signal computed from it, as in "
          + "{from: …, \(trait): true}"
      ])
    #expect(found.first?.place.description == "graphs.yaml:5:\(signal.utf8.count - trait.count)")
  }

  @Test func `a signal that two files declare is an error that shows both places`() {
    let world = ConfigurationWorld(files: [
      "/etc/signalbox.yaml": "signalbox: 1\ngraphs: {g: {signals: {a: {input: {}}}}}\n",
      "/etc/conf.d/more.yaml": "signalbox: 1\ngraphs: {g: {signals: {a: {never: true}, b: {from: a}}}}\n",
    ])
    let found = problems(of: .withAdditions("/etc/signalbox.yaml"), world)
    #expect(found.map(\.text) == ["duplicate signal \"g.a\""])
    #expect(found.first?.place.description == "/etc/conf.d/more.yaml:2:24")
    #expect(found.first?.related?.place.description == "/etc/signalbox.yaml:2:24")
  }

  private func diagnostics(of text: String) -> String {
    DiagnosticRenderer.text(Diagnostics(problems(of: text)))
  }

  private func problems(of text: String) -> [Diagnostic] {
    problems(of: .alone("graphs.yaml"), ConfigurationWorld(files: ["graphs.yaml": text]))
  }

  private func problems(of source: ConfigurationSource, _ world: ConfigurationWorld) -> [Diagnostic] {
    do {
      _ = try Configuration.load(source, inputs: world.inputs)
      return []
    } catch {
      guard case .invalid(let diagnostics) = error else { return [] }
      return diagnostics.list
    }
  }

  private static let mistakes = """
    signalbox: 1
    server:
      limts: {connections: 5}
    graphs:
      climate:
        signals:
          raw:
            input: {type: objet}
          celsius:
            from: rwa
            pipe:
              - filter: .unit ==
              - mpa: .value
              - debounce: soon
          smooth:
            from: celsius
            pipe:
              - window: {cuont: 5}
              - scan: {initial: 0}
          loop:
            from: pool
          pool:
            from: loop
          both:
            from: raw
            merge: [raw]
          nothing:
            hold: true
          alarm:
            combine: {t: smooth, limit: raw}
            pipe:
              - map: {hot: .t}
              - take: -1
              - skip_repeats: 3
            hold: yes
          odd:
            from: raw
            map: .x
            debounce: 2s
    """

  private static let complaints = """
    graphs.yaml:3:3: error: unknown key "limts"; did you mean "limits"?
        limts: {connections: 5}
        ^~~~~
    graphs.yaml:8:23: error: expected one of integer, number, string, boolean, object, array, any, found "objet"; did you mean "object"?
              input: {type: objet}
                            ^~~~~
    graphs.yaml:10:15: error: no signal "rwa" in graph "climate"; did you mean "raw"?
              from: rwa
                    ^~~
    graphs.yaml:12:29: error: the expression ends here; missing value
                - filter: .unit ==
                                  ^
    graphs.yaml:13:13: error: unknown operator "mpa"; did you mean "map"?
                - mpa: .value
                  ^~~
    graphs.yaml:14:23: error: expected a duration such as 250ms, 2s or 1m30s, found "soon"
                - debounce: soon
                            ^~~~
      for example: - debounce: 2s
    graphs.yaml:18:22: error: unknown parameter of window "cuont"; did you mean "count"?
                - window: {cuont: 5}
                           ^~~~~
    graphs.yaml:19:13: error: scan needs "next", an expression: the next state, from $state and the value
                - scan: {initial: 0}
                  ^~~~
      for example: - scan: {initial: 0, next: $state + .}
    graphs.yaml:23:15: error: a signal cannot depend on itself: climate.loop → climate.pool → climate.loop (values flow in this direction); only send_to may close a cycle
              from: loop
                    ^~~~
    graphs.yaml:26:9: error: a signal has exactly one source, and this one already has "from"
              merge: [raw]
              ^~~~~
    graphs.yaml:25:9: note: the first source
              from: raw
              ^
    graphs.yaml:27:7: error: a signal needs a source, one of: input, property, from, value, values, empty, never, fail, range, interval, timer, at, merge, concat, zip, combine, combine_last, race, tuple, switch, if, exec, tail, file, watch, journal, dbus, unit, http, mqtt, nats, adapter, marble
            nothing:
            ^~~~~~~
    graphs.yaml:32:18: error: expected an expression, found a mapping; write it in quotes: "{hot: .t}"
                - map: {hot: .t}
                       ^~~~~~~~~
    graphs.yaml:33:19: error: must be at least 0
                - take: -1
                        ^~
      for example: - take: 2
    graphs.yaml:34:27: error: skip_repeats takes its parameters by name, in braces: by; did you mean "{by: 3}"?
                - skip_repeats: 3
                                ^
    graphs.yaml:35:15: error: expected true or false, found "yes"
              hold: yes
                    ^~~
    graphs.yaml:38:9: error: "map" is an operator: write it as an item of "pipe"
              map: .x
              ^~~
    graphs.yaml:39:9: error: "debounce" is an operator: write it as an item of "pipe"
              debounce: 2s
              ^~~~~~~~

    """
}
