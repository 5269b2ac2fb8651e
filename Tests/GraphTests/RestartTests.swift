import GraphEngine
import GraphModel
import JSON
import Testing

/// The effects on the rest of a graph when an ended signal is restarted.
@Suite struct `A restart` {
  /// Starts a graph, sends `1` to `a`, ends `a`, and clears the log.
  private func ended(_ signals: String) throws -> TestGraph {
    let graph = try TestGraph(signals: "a: {input: {endable: true}}\nb: {input: {endable: true}}\n\(signals)")
    try graph.send("1", to: "a")
    try graph.runtime.end(graph.signal("a"), with: .completed)
    _ = graph.said()
    return graph
  }

  /// The events of a running signal, once `a` was restarted and has sent `2` and `b` `30`.
  @Test(arguments: [
    ("{merge: [a, b], pipe: [{scan: {initial: 0, next: $state + .}}]}", ["x#2 3", "x#3 33"]),
    (
      "{merge: [{from: a, pipe: [{map: . * 10}]}, b], pipe: [{scan: {initial: 0, next: $state + .}}]}",
      ["x#2 30", "x#3 60"]
    ),
    ("{from: a, pipe: [{merge: b}, {scan: {initial: 0, next: $state + .}}]}", ["x#2 3", "x#3 33"]),
    ("{from: a, pipe: [{map: . * 10}, {merge: b}, {scan: {initial: 0, next: $state + 1}}]}", ["x#2 2", "x#3 3"]),
    ("{combine: {a: a, b: b}}", [#"x#1 {"a":2,"b":30}"#]),
    ("{zip: [a, b]}", ["x#1 [1,30]"]),
    ("{tuple: {a: a, b: b}}", [#"x#2 {"a":2}"#, #"x#3 {"b":30}"#]),
    ("{from: b, pipe: [{with_latest: a}]}", ["x#1 [30,2]"]),
    (
      "{from: b, pipe: [{map: . + 1}, {skip_until: {signal: {from: a, pipe: [{skip: 1}, {filter: true}]}}}]}",
      ["x#1 31"]
    ),
    ("{merge: [{merge: [a, {never: true}]}, b], pipe: [{scan: {initial: 0, next: $state + 1}}]}", ["x#2 2", "x#3 3"]),
    (
      "{merge: [cold, b], pipe: [{scan: {initial: 0, next: $state + 1}}]}\ncold: {from: a, cold: true}",
      ["x#2 2", "x#3 3"]
    ),
    (
      "{merge: [lazy, b], pipe: [{scan: {initial: 0, next: $state + 1}}]}\nlazy: {from: a, lazy: true}",
      ["x#2 2", "x#3 3"]
    ),
  ]) func `keeps the state of those that still run, which receive the signal again`(
    signal: String, expected: [String]
  ) throws {
    let graph = try ended("x: \(signal)")
    graph.runtime.restart(["g.a"])
    try graph.send("2", to: "a")
    try graph.send("30", to: "b")
    #expect(graph.said(by: "x") == expected)
  }

  @Test(arguments: [
    ("{switch: {on: a, cases: {1: b, 2: c}}}", [#"x#1 "c""#]),
    ("{if: {condition: {from: a, pipe: [{map: . == 1}]}, then: b, else: c}}", [#"x#1 "c""#]),
    ("{from: a, pipe: [{flat_map: {latest: {from: b, pipe: [{map: '[$value, .]'}]}}}]}", ["x#1 [2,30]"]),
    (
      "{from: a, pipe: [{flat_map: {merge: {from: b, pipe: [{map: '[$value, .]'}]}}}]}",
      ["x#1 [1,30]", "x#2 [2,30]"]
    ),
    ("{from: a, pipe: [{flat_map: {concat: {from: b, pipe: [{map: '[$value, .]'}]}}}]}", ["x#1 [1,30]"]),
    ("{from: a, pipe: [{flat_map: {latest: {interval: 1s, pipe: [{map: $value}]}}}]}", ["x#1 2"]),
  ]) func `lets choosers choose again, whose choice continues`(signal: String, expected: [String]) throws {
    let graph = try ended("x: \(signal)\nc: {property: {initial: c}}")
    graph.runtime.restart(["g.a"])
    try graph.send("2", to: "a")
    try graph.send("30", to: "b")
    graph.advance(to: 1)
    #expect(graph.said(by: "x") == expected)
  }

  @Test(arguments: ["latest", "merge", "concat"]) func `ends a chooser with its last choice, as without it`(
    strategy: String
  ) throws {
    let graph = try ended("x: {from: a, pipe: [{flat_map: {\(strategy): {from: b, pipe: [{take: 1}]}}}]}")
    graph.runtime.restart(["g.a"])
    try graph.runtime.end(graph.signal("a"), with: .completed)
    #expect(graph.said(by: "x") == [])
    try graph.send("30", to: "b")
    #expect(graph.said(by: "x") == ["x#1 30", "x completed"])
  }

  @Test(arguments: ["{concat: [b, a]}", "{from: b, pipe: [{concat: a}]}"])
  func `has a concat receive the signal again whose turn has not come`(signal: String) throws {
    let graph = try ended("x: \(signal)")
    graph.runtime.restart(["g.a"])
    try graph.send("2", to: "a")
    try graph.runtime.end(graph.signal("b"), with: .completed)
    try graph.send("3", to: "a")
    #expect(graph.said(by: "x") == ["x#1 1", "x#2 2", "x#3 3"])
  }

  @Test func `completes a merge only when all that it receives again have completed again`() throws {
    let graph = try ended("x: {merge: [a, b]}")
    graph.runtime.restart(["g.a"])
    try graph.runtime.end(graph.signal("b"), with: .completed)
    try graph.send("2", to: "a")
    #expect(graph.said(by: "x") == ["x#2 2"])
    try graph.runtime.end(graph.signal("a"), with: .completed)
    #expect(graph.said(by: "x") == ["x completed"])
    graph.runtime.restart(["g.a", "g.b"])
    try graph.send("3", to: "b")
    #expect(graph.said(by: "x") == ["x#3 3"])
  }

  @Test func `restarts what has ended downstream, through those that still run`() throws {
    let graph = try ended(
      "x: {merge: [a, b]}\ny: {from: x, pipe: [{take: 1}]}\nz: {from: a, pipe: [{scan: {initial: 0, next: $state + 1}}]}"
    )
    graph.runtime.restart(["g.a"])
    try graph.send("2", to: "a")
    #expect(graph.said(by: "x", "y", "z") == ["z#2 1", "x#2 2", "y#2 2", "y completed"])
  }

  @Test func `followed by another completion changes nothing for those that still run`() throws {
    let graph = try ended("x: {merge: [a, b], pipe: [{scan: {initial: 0, next: $state + 1}}]}")
    for _ in 1...3 {
      graph.runtime.restart(["g.a"])
      try graph.runtime.end(graph.signal("a"), with: .completed)
    }
    try graph.send("1", to: "b")
    #expect(graph.said(by: "x") == ["x#2 2"])
  }

  @Test func `is the only thing that has a lazy signal run again that has ended`() throws {
    let graph = try TestGraph(signals: "l: {values: [0, 1], lazy: true, replay: 5}")
    graph.attach(to: "l")
    #expect(graph.said() == ["l#1 0", "l#2 1", "l completed"])
    graph.detach(from: "l")
    graph.attach(to: "l")
    #expect(graph.said() == [])
    #expect(graph.signal("l").retained.latest(5).map(\.sequence) == [1, 2])
    graph.runtime.restart(["g.l"])
    #expect(graph.said() == ["l#3 0", "l#4 1", "l completed"])
  }

  @Test func `a signal that fails names the first that failed of its upstream signals`() throws {
    let graph = try TestGraph(
      signals: """
        in: {input: {}}
        other: {input: {endable: true}}
        later: {from: other, pipe: [{take: 5}]}
        x: {switch: {on: in, cases: {a: other, b: later}, unmatched: ignore}}
        y: {merge: [other, later]}
        """)
    try graph.send(#""a""#, to: "in")
    try graph.runtime.end(graph.signal("other"), with: .failed(SignalFailure(code: "x", message: "")))
    #expect(graph.signal("x").end?.cause == "g.other")
    #expect(graph.signal("y").end?.cause == "g.other")
    #expect(graph.signal("later").end?.cause == "g.other")
  }
}
