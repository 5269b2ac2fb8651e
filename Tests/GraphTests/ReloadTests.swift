import GraphCatalogue
import GraphEngine
import GraphModel
import JSON
import Testing

@Suite struct ReloadTests {
  private func configuration(_ graphs: String) throws -> Configuration {
    try TestGraph.configuration("signalbox: 1\ngraphs:\n\(graphs)")
  }

  @Test func `signals that did not change keep their state, and the others restart`() throws {
    let graph = TestGraph(
      try configuration(
        """
          kept: {signals: {a: {input: {}}, sum: {from: a, pipe: [{scan: {initial: 0, next: $state + .}}]}}}
          old: {signals: {a: {input: {}}, gone: {from: a}, same: {from: a, hold: true}}}
        """))
    try graph.send("1", to: "kept.a")
    try graph.send("7", to: "old.a")
    _ = graph.said()

    let verdict = graph.reload(
      try configuration(
        """
          kept: {doc: said anew, signals: {a: {input: {}, doc: here}, sum: {from: a, pipe: [{scan: {initial: 0, next: $state + .}}]}}}
          old: {signals: {a: {input: {}}, same: {from: a, hold: {initial: 3}}, new: {property: {initial: 1}}}}
        """))

    var expected = ReloadVerdict(generation: 2)
    expected.kept = ["kept.a", "kept.sum", "old.a"]
    expected.changed = ["old.same"]
    expected.added = ["old.new"]
    expected.removed = ["old.gone"]
    #expect(verdict == expected)
    #expect(graph.said() == ["same#2 3", "new#1 1"])
    #expect(graph.signal("kept.a").declaration.traits.documentation == "here")

    try graph.send("1", to: "kept.a")
    #expect(graph.said(by: "sum") == ["sum#2 2"])
    try graph.send("8", to: "old.a")
    #expect(graph.said(by: "a", "same") == ["a#2 8", "same#3 8"])
  }

  @Test func `pending timers of a replaced graph are dropped`() throws {
    let graph = TestGraph(try configuration("  g: {signals: {a: {input: {}}, b: {from: a, pipe: [{debounce: 2s}]}}}"))
    try graph.send("1", to: "a")
    _ = graph.reload(try configuration("  g: {signals: {a: {input: {}}, b: {from: a, pipe: [{debounce: 3s}]}}}"))
    _ = graph.said()
    graph.advance(to: 10)
    #expect(graph.said() == [])
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test func `the dependents of a signal that changed restart with it, in another graph too`() throws {
    let other = "  h: {signals: {sum: {from: g.b, pipe: [{scan: {initial: 0, next: $state + .}}]}}}\n"
    let graph = TestGraph(
      try configuration("  g: {signals: {a: {input: {}}, b: {from: a, pipe: [{map: .}]}, c: {from: a}}}\n" + other))
    try graph.send("1", to: "a")
    let verdict = graph.reload(
      try configuration("  g: {signals: {a: {input: {}}, b: {from: a, pipe: [{map: . * 2}]}, c: {from: a}}}\n" + other))
    #expect(verdict.kept == ["g.a", "g.c"])
    #expect(verdict.changed == ["g.b", "h.sum"])
    try graph.send("5", to: "a")
    #expect(graph.said(by: "sum") == ["sum#1 1", "sum#2 10"])
  }

  @Test func `a signal that restarts gets what those that are kept hold for new subscribers`() throws {
    let kept = "limit: {property: {initial: 20}}, done: {input: {endable: true}, hold: true}"
    let graph = TestGraph(try configuration("  g: {signals: {\(kept)}}"))
    try graph.send("30", to: "limit")
    try graph.send("1", to: "done")
    try graph.runtime.end(graph.signal("done"), with: .completed)
    _ = graph.said()
    _ = graph.reload(
      try configuration("  g: {signals: {\(kept), both: {combine: [limit, done]}, end: {from: done}}}"))
    #expect(graph.said() == ["end#1 1", "end completed", "both#1 [30,1]"])
    try graph.send("31", to: "limit")
    #expect(graph.said(by: "both") == ["both#2 [31,1]"])
  }

  @Test func `the order within a turn is the file's, however often it was reloaded`() throws {
    func signals(_ first: String, _ second: String) -> String {
      """
        g:
          signals:
            a: {input: {}}
            log: {input: {}}
            first: {from: a, pipe: [{map: '"\(first)"'}, {send_to: log}]}
            second: {from: a, pipe: [{map: '"\(second)"'}, {send_to: log}]}
            joined: {merge: [second, a], pipe: [{map: '"joined"'}, {send_to: log}]}
            before: {from: a, pipe: [{delay: 1s}, {map: '"\(first)"'}, {send_to: log}]}
            after: {from: a, pipe: [{delay: 1s}, {map: '"\(second)"'}, {send_to: log}]}
      """
    }
    let graph = TestGraph(try configuration(signals("one", "two")))
    var seconds = 0.0
    func order() throws -> [String] {
      try graph.send("1", to: "a")
      seconds += 1
      graph.advance(to: seconds)
      return graph.said(by: "log").map { String($0.split(separator: " ")[1]) }
    }
    #expect(try order() == [#""one""#, #""two""#, #""joined""#, #""joined""#, #""one""#, #""two""#])
    _ = graph.reload(try configuration(signals("uno", "two")))
    #expect(try order() == [#""uno""#, #""two""#, #""joined""#, #""joined""#, #""uno""#, #""two""#])
    _ = graph.reload(try configuration(signals("uno", "due")))
    #expect(try order() == [#""uno""#, #""due""#, #""joined""#, #""joined""#, #""uno""#, #""due""#])
  }

  @Test func `timers that wait take the order of the new file`() throws {
    let delayed = ["x: {from: a, pipe: [{delay: 5s}]}", "y: {from: a, pipe: [{delay: 5s}]}"]
    func graphs(_ signals: [String]) -> String {
      "  g: {signals: {a: {input: {}}, \(signals.joined(separator: ", "))}}"
    }
    let graph = TestGraph(try configuration(graphs(delayed)))
    try graph.send("1", to: "a")
    _ = graph.reload(try configuration(graphs(delayed.reversed())))
    _ = graph.said()
    graph.advance(to: 5)
    #expect(graph.said() == ["y#1 1", "x#1 1"])
  }

  @Test func `names that come and go are remembered within a bound, and numbers never go back`() throws {
    func graphs(_ names: Range<Int>) -> String {
      "  g: {signals: {\(names.map { "s\($0): {property: {initial: 1}}" }.joined(separator: ", "))}}"
    }
    let graph = TestGraph(try configuration(graphs(0..<6000)))
    for _ in 1...4 { try graph.send("2", to: "s7") }
    _ = graph.reload(try configuration(graphs(6000..<12_000)))
    _ = graph.reload(try configuration(graphs(12_000..<18_000)))
    _ = graph.reload(try configuration(graphs(0..<10)))
    #expect(graph.signal("s7").sequence >= 6)
  }

  @Test func `timers and subscribers of what did not change continue`() throws {
    let kept = "a: {input: {}}, quiet: {from: a, pipe: [{debounce: 2s}]}, ticks: {interval: 3s}"
    let graph = TestGraph(try configuration("  g: {signals: {\(kept), x: {from: a}}}"))
    try graph.send("1", to: "a")
    graph.advance(to: 1)
    _ = graph.reload(try configuration("  g: {signals: {y: {from: quiet}, \(kept)}}"))
    _ = graph.said()
    graph.advance(to: 3)
    #expect(graph.said() == ["quiet#1 1", "y#1 1", "ticks#1 0"])
  }

  @Test func `what the environment changed is changed too`() throws {
    func read(_ unit: String) throws -> Configuration {
      let text = "signalbox: 1\ngraphs: {g: {signals: {a: {value: '${UNIT}'}, b: {value: 1}}}}\n"
      return try Configuration.load(
        .alone("f.yaml"), inputs: ConfigurationWorld(files: ["f.yaml": text], environment: ["UNIT": unit]).inputs)
    }
    let graph = TestGraph(try read("C"))
    #expect(graph.reload(try read("C")).kept == ["g.a", "g.b"])
    #expect(graph.reload(try read("F")).changed == ["g.a"])
    #expect(graph.said(by: "a") == [#"a#1 "C""#, "a completed", #"a#2 "F""#, "a completed"])
    #expect(graph.signal("a").declaration.text.description == #"{"value":"${UNIT}"}"#)
  }

  @Test func `what reads the time zone of the machine changes with that`() throws {
    func read(_ zone: String) throws -> Configuration {
      let text = """
        signalbox: 1
        graphs: {g: {signals: {
          a: {input: {}}, local: {from: a, pipe: [{map: 'strflocaltime("%H")'}]},
          other: {from: a, pipe: [{map: 'strftime("%H")'}]}}}}
        """
      return try Configuration.load(
        .alone("f.yaml"), inputs: ConfigurationWorld(files: ["f.yaml": text], environment: ["TZ": zone]).inputs)
    }
    let graph = TestGraph(try read("Asia/Tokyo"))
    try graph.send("0", to: "a")
    #expect(graph.said(by: "local", "other") == [#"local#1 "09""#, #"other#1 "00""#])
    #expect(graph.reload(try read("Asia/Tokyo")).kept == ["g.a", "g.local", "g.other"])
    #expect(graph.reload(try read("Asia/Kolkata")).changed == ["g.local"])
    try graph.send("0", to: "a")
    #expect(graph.said(by: "local", "other") == [#"local#2 "05""#, #"other#2 "00""#])
  }

  @Test func `what differs only in the form of its characters is changed too`() throws {
    let graph = TestGraph(try configuration("  g: {signals: {a: {value: \"\u{e9}\"}, b: {value: 1}}}"))
    #expect(graph.reload(try configuration("  g: {signals: {a: {value: \"\u{e9}\"}, b: {value: 1}}}")).changed == [])
    #expect(
      graph.reload(try configuration("  g: {signals: {a: {value: \"e\u{301}\"}, b: {value: 1}}}")).changed == ["g.a"])
  }

  @Test func `expressions that differ only in the form of their characters are two`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        composed: {from: a, pipe: [{map: '. == "\u{e9}"'}]}
        decomposed: {from: a, pipe: [{map: '. == "e\u{301}"'}]}
        """)
    try graph.send(#""\u00e9""#, to: "a")
    #expect(graph.said(by: "composed", "decomposed") == ["composed#1 true", "decomposed#1 false"])
  }

  @Test(.inOneRuntime) func `a verdict appears on the daemon's own signal`() throws {
    let graph = TestGraph(try configuration("  g: {signals: {a: {input: {}}}}"))
    var verdicts: [String] = []
    graph.runtime.own.reload.observer = { if case .next(let value, _) = $0 { verdicts.append("\(value)") } }
    _ = graph.reload(try configuration("  g: {signals: {b: {input: {}}}}"))
    #expect(
      verdicts == [#"{"generation":2,"kept":[],"changed":[],"added":["g.b"],"removed":["g.a"],"needs_restart":[]}"#])
  }

  @Test func `what has ended restarts with its dependents, and its number continues`() throws {
    let graph = TestGraph(
      try configuration("  g: {signals: {a: {input: {endable: true}}, b: {from: a}, c: {input: {}}}}"))
    try graph.send("1", to: "a")
    try graph.runtime.end(graph.signal("a"), with: .completed)
    graph.runtime.restart(["g.a"])
    try graph.send("2", to: "a")
    #expect(graph.said(by: "b") == ["b#1 1", "b completed", "b#2 2"])
  }

  @Test func `an ended signal that changed begins again under its name`() throws {
    let graph = TestGraph(try configuration("  g: {signals: {a: {input: {endable: true}}}}"))
    try graph.runtime.end(graph.signal("a"), with: .completed)
    _ = graph.reload(try configuration("  g: {signals: {a: {input: {endable: true, type: number}}}}"))
    try graph.send("1", to: "a")
    #expect(graph.said() == ["a completed", "a#1 1"])
  }

  @Test func `the number of a signal that was removed continues when it comes back`() throws {
    let graph = TestGraph(try configuration("  g: {signals: {a: {input: {}}}}"))
    try graph.send("1", to: "a")
    _ = graph.reload(try configuration("  g: {signals: {b: {input: {}}}}"))
    _ = graph.reload(try configuration("  g: {signals: {a: {input: {}}}}"))
    try graph.send("2", to: "a")
    #expect(graph.said(by: "a") == ["a#1 1", "a#2 2"])
  }

  @Test func `limits apply at once, to graphs that are kept too`() throws {
    let signals = "graphs: {g: {signals: {a: {input: {}}, b: {from: a, pipe: [{map: '[range(.)] | add'}]}}}}\n"
    let graph = TestGraph(try TestGraph.configuration("signalbox: 1\n" + signals))
    try graph.send("5000", to: "a")
    let verdict = graph.reload(
      try TestGraph.configuration("signalbox: 1\nserver: {limits: {expression: 1000}}\n" + signals))
    #expect(verdict.kept == ["g.a", "g.b"])
    try graph.send("5000", to: "a")
    #expect(graph.said(by: "b") == ["b#1 12497500"])
    #expect(graph.refusals.map(\.failure.code) == ["limit"])
  }

  @Test(
    .inOneRuntime,
    arguments: [
      ("socket: {path: /run/other.sock}", "server.socket.path"), ("socket: {mode: '0600'}", "server.socket.mode"),
      ("socket: {group: '0'}", "server.socket.group"), ("state: /var/lib/other", "server.state"),
    ])
  func `settings that a running daemon cannot change are named`(setting: String, name: String) throws {
    let graph = TestGraph(try configuration("  g: {signals: {a: {input: {}}}}"))
    let verdict = graph.reload(try TestGraph.configuration("signalbox: 1\nserver: {\(setting)}\ngraphs: {}\n"))
    #expect(verdict.needsRestart == [name])
    let back = graph.reload(try TestGraph.configuration("signalbox: 1\ngraphs: {}\n"))
    #expect(back.needsRestart.isEmpty)
    #expect(verdict.removed == ["g.a"])
  }
}
