import GraphEngine
import GraphModel
import Testing

/// Signals that are started for a value, at an ending, or again.
@Suite struct StartedSignalTests {
  @Test(arguments: [
    ("latest: INNER", ["x#1 0", "x#2 1", "x#3 10", "x#4 11"]),
    ("merge: INNER", ["x#1 0", "x#2 0", "x#3 1", "x#4 1", "x#5 10", "x#6 11"]),
    ("merge: INNER, concurrent: 1", ["x#1 0", "x#2 1", "x#3 0", "x#4 1", "x#5 10", "x#6 11"]),
    ("concat: INNER", ["x#1 0", "x#2 1", "x#3 0", "x#4 1", "x#5 10", "x#6 11"]),
    ("first: INNER", ["x#1 0", "x#2 1", "x#3 10", "x#4 11"]),
    ("race: INNER", ["x#1 0", "x#2 1", "x completed"]),
  ])
  func `flat_map follows the signals that its strategy selects`(strategy: String, expected: [String]) throws {
    let inner = "{interval: 1s, pipe: [{take: 2}, {map: '. + $value'}]}"
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        x: {from: a, pipe: [{flat_map: {\(strategy.replacing("INNER", with: inner))}}]}
        """)
    try graph.send("0", to: "a")
    graph.advance(to: 0.5)
    try graph.send("0", to: "a")
    graph.advance(to: 8)
    try graph.send("10", to: "a")
    if strategy.hasPrefix("race") { try graph.runtime.end(graph.signal("a"), with: .completed) }
    graph.advance(to: 20)
    #expect(graph.said(by: "x") == expected)
  }

  @Test func `what flat_map starts sees other signals from the next turn on`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        late: {combine: [a, {from: a}]}
        following: {from: a, pipe: [{flat_map: {latest: {from: late, pipe: [{take: 1}]}}}]}
        early: {from: a, pipe: [{flat_map: {latest: {from: a, pipe: [{take: 1}]}}}]}
        """)
    for value in ["1", "2", "3"] { try graph.send(value, to: "a") }
    #expect(graph.said(by: "following", "early") == [])
    let merging = try TestGraph(
      signals: """
        a: {input: {}}
        x: {from: a, pipe: [{flat_map: {merge: {from: a, pipe: [{take: 1}, {map: '[$value, .]'}]}}}]}
        """)
    for value in ["1", "2", "3"] { try merging.send(value, to: "a") }
    #expect(merging.said(by: "x") == ["x#1 [1,2]", "x#2 [2,3]"])
  }

  @Test func `an expression sees the value of the innermost flat_map`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        x:
          from: a
          pipe:
            - flat_map: {merge: {values: [1, 2], pipe: [{map: . * $value}, {flat_map: {merge: {value: 5, pipe: [{map: '[., $value]'}]}}}]}}
        """)
    try graph.send("10", to: "a")
    #expect(graph.said(by: "x") == ["x#1 [5,10]", "x#2 [5,20]"])
  }

  @Test func `more values than may wait for their turn fail flat_map`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        x: {from: a, pipe: [{flat_map: {concat: {never: true}, limit: 2}}]}
        y: {from: a, pipe: [{flat_map: {concat: {timer: 1s, pipe: [{map: $value}]}, limit: 2, overflow: drop_oldest}}]}
        """)
    for value in 1...4 { try graph.send("\(value)", to: "a") }
    graph.advance(to: 9)
    #expect(graph.said(by: "x", "y") == ["x failed overflow", "y#1 1", "y#2 3", "y#3 4"])
  }

  @Test func `flat_map runs a cold signal for each value`() throws {
    let graph = try TestGraph(
      signals: """
        ticks: {interval: 1s, cold: true}
        a: {input: {}}
        x: {from: a, pipe: [{flat_map: {merge: ticks}}]}
        """)
    try graph.send("1", to: "a")
    graph.advance(to: 1)
    try graph.send("1", to: "a")
    graph.advance(to: 2)
    #expect(graph.said(by: "x") == ["x#1 0", "x#2 1", "x#3 0"])
  }

  @Test func `what is left is stopped, and so are its timers`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        x: {from: a, pipe: [{flat_map: {latest: {interval: 1s}}}, {take_until: {where: . == 1}}]}
        first: {race: [{timer: 2s}, {interval: 10s}]}
        """)
    for _ in 1...3 { try graph.send("1", to: "a") }
    graph.advance(to: 2)
    #expect(graph.said(by: "x", "first") == ["x#1 0", "x completed", "first#1 0", "first completed"])
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test func `retry starts the source again, state and all, until its count is spent`() throws {
    let graph = try TestGraph(
      signals: """
        x: {marble: {diagram: "1-2-#"}, pipe: [{scan: {initial: 0, next: $state + .}}, {retry: 1}]}
        """)
    graph.advance(to: 20)
    #expect(graph.said() == ["x#1 1", "x#2 3", "x#3 1", "x#4 3", "x failed error"])
  }

  @Test func `retry waits longer each time, up to a limit, and resets after a long run`() throws {
    let graph = try TestGraph(
      signals: """
        x: {fail: {code: gone}, pipe: [{start_with: [go]}, {retry: {delay: 1s, backoff: 2, max_delay: 5s}}]}
        y: {marble: {diagram: "----#"}, pipe: [{start_with: [go]}, {retry: {times: 1, delay: 1s, reset_after: 3s}}]}
        """)
    var times: [Int] = []
    for second in 0...20 {
      graph.advance(to: Double(second))
      if !graph.said(by: "x").isEmpty { times.append(second) }
    }
    #expect(times == [0, 1, 3, 7, 12, 17])
    #expect(graph.signal("y").sequence == 5)
    #expect(graph.signal("y").ending == nil)
  }

  @Test func `retry resets after the first value, where it is asked to`() throws {
    let graph = try TestGraph(
      signals: """
        x: {marble: {diagram: "1-#"}, pipe: [{retry: {times: 1, delay: 1s, backoff: 2, reset_on_value: true}}]}
        y: {marble: {diagram: "1-#"}, pipe: [{retry: {times: 1, delay: 1s, backoff: 2}}]}
        """)
    graph.advance(to: 60)
    #expect(graph.signal("y").sequence == 2 && graph.signal("y").ending != nil)
    #expect(graph.signal("x").sequence >= 20 && graph.signal("x").ending == nil)
  }

  @Test func `retry asks a signal whether to try again`() throws {
    let graph = try TestGraph(
      signals: """
        go: {input: {endable: true}}
        x: {fail: {code: gone}, pipe: [{start_with: [try]}, {retry: {when: go}}]}
        """)
    try graph.send("1", to: "go")
    try graph.send("1", to: "go")
    try graph.runtime.end(graph.signal("go"), with: .completed)
    #expect(graph.said(by: "x") == [#"x#1 "try""#, #"x#2 "try""#, #"x#3 "try""#, "x completed"])
  }

  @Test func `retry without a pause ends at the bound of turns`() throws {
    let graph = try TestGraph(
      TestGraph.configuration(
        """
        signalbox: 1
        server: {limits: {chain: 10}}
        graphs:
          g:
            signals:
              go: {property: {initial: 1}}
              x: {fail: {code: gone}, pipe: [{retry: {when: go}}]}
        """))
    #expect(graph.said(by: "x") == ["x failed gone"])
    #expect(graph.warnings == ["x: more than 10 turns from one cause: retry (limits.chain)"])
  }

  @Test func `the first run receives what named signals emit at the start`() throws {
    let graph = try TestGraph(
      signals: """
        one: {values: [1, 2]}
        x: {merge: [one, {fail: {code: gone}}], pipe: [{retry: 1}]}
        y: {race: [two, one]}
        two: {value: 3}
        """)
    #expect(graph.said(by: "x", "y") == ["x#1 1", "x#2 2", "x failed gone", "y#1 3", "y completed"])
  }

  @Test func `repeat starts the source again when it completes, and not when it fails`() throws {
    let graph = try TestGraph(
      signals: """
        x: {values: [1, 2], pipe: [{repeat: 2}]}
        y: {value: 1, pipe: [{repeat: {delay: 1s}}]}
        z: {fail: {code: gone}, pipe: [{repeat: 3}]}
        """)
    #expect(
      graph.said() == [
        "x#1 1", "x#2 2", "x#3 1", "x#4 2", "x completed", "y#1 1", "z failed gone",
      ])
    graph.advance(to: 2.5)
    #expect(graph.said() == ["y#2 1", "y#3 1"])
  }

  @Test func `what starts itself again and again in one turn ends at a bound`() throws {
    let graph = try TestGraph(
      TestGraph.configuration(
        """
        signalbox: 1
        server: {limits: {turn: 10}}
        graphs: {g: {signals: {x: {value: 1, pipe: [{repeat: 100000}]}}}}
        """))
    #expect(graph.said().last == "x failed overflow")
    #expect(graph.signal("x").sequence == 11)
  }

  @Test func `an inline source that is a shared signal cannot be started again`() {
    #expect(throws: ConfigurationError.self) {
      try TestGraph.configuration(signals: "a: {input: {}}\nx: {from: {from: a}, pipe: [{repeat: 2}]}")
    }
    #expect(throws: Never.self) {
      try TestGraph.configuration(signals: "a: {value: 1, cold: true}\nx: {from: a, pipe: [{repeat: 2}]}")
    }
  }

  @Test func `a fallback follows a timeout, and not the failure of the signal itself`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        b: {input: {endable: true}}
        x: {from: a, pipe: [{timeout: {first: 2s, fallback: {value: 8}}}]}
        y: {from: b, pipe: [{timeout: {total: 5s, fallback: {value: 8}}}]}
        z: {from: b, pipe: [{timeout: {gap: 3s}}]}
        """)
    graph.advance(to: 2)
    #expect(graph.said() == ["x#1 8", "x completed"])
    try graph.send("1", to: "b")
    graph.advance(to: 4)
    try graph.runtime.end(graph.signal("b"), with: .failed(SignalFailure(code: "timeout", message: "")))
    #expect(graph.said(by: "y", "z") == ["y#1 1", "z#1 1", "y failed timeout", "z failed timeout"])
  }

  @Test func `delay_when holds each value for a signal of its own`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        x: {from: a, pipe: [{delay_when: {timer: 1s, pipe: [{delay_when: {value: 1, pipe: [{delay: 1s}]}}]}}]}
        go: {input: {}}
        y: {from: a, pipe: [{delay_when: go}]}
        """)
    try graph.send("1", to: "a")
    try graph.send("2", to: "a")
    graph.advance(to: 1.5)
    try graph.send("1", to: "go")
    graph.advance(to: 2)
    #expect(graph.said(by: "x", "y") == ["y#1 1", "y#2 2", "x#1 1", "x#2 2"])
  }

  @Test func `a signal that has ended takes what it started with it at a reload`() throws {
    let graph = try TestGraph(
      signals: "a: {input: {}}\nx: {from: a, pipe: [{flat_map: {merge: {interval: 1s}}}]}")
    try graph.send("1", to: "a")
    try graph.send("1", to: "a")
    graph.advance(to: 1)
    #expect(graph.said(by: "x").count == 2)
    _ = graph.reload(try TestGraph.configuration(signals: "a: {input: {}}"))
    #expect(graph.runtime.nextDeadline == nil)
  }
}
