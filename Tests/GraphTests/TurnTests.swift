import GraphModel
import JSON
import Signals
import Testing

@testable import GraphEngine

@Suite struct TurnTests {
  @Test func `a diamond gives one value for one value, never of mixed age`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        b: {from: a, pipe: [{map: . * 10}]}
        c: {from: a, pipe: [{map: . * 100}]}
        d: {combine: {b: b, c: c}}
        """)
    try graph.send("1", to: "a")
    try graph.send("2", to: "a")
    #expect(graph.said(by: "d") == [#"d#1 {"b":10,"c":100}"#, #"d#2 {"b":20,"c":200}"#])
  }

  @Test func `joins upon joins are each computed once a turn`() throws {
    let graph = try TestGraph(
      signals: """
        top: {combine: [left, right, a]}
        left: {combine: [a, b]}
        right: {combine: [b, a]}
        b: {from: a, pipe: [{map: . + 1}]}
        a: {input: {}}
        """)
    try graph.send("1", to: "a")
    #expect(graph.said(by: "left", "right", "top") == ["left#1 [1,2]", "right#1 [2,1]", "top#1 [[1,2],[2,1],1]"])
  }

  @Test func `emit event combines once for each value of an input`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        b: {from: a, pipe: [{map: . * 10}]}
        both: {combine: [a, b], emit: event}
        """)
    try graph.send("1", to: "a")
    try graph.send("2", to: "a")
    #expect(graph.said(by: "both") == ["both#1 [1,10]", "both#2 [2,10]", "both#3 [2,20]"])
  }

  @Test func `merge puts the values of its inputs one after another in the listed order`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        twice: {from: a, pipe: [{map: "., ."}]}
        tenfold: {from: a, pipe: [{map: . * 10}]}
        all: {merge: [tenfold, twice, a]}
        """)
    try graph.send("1", to: "a")
    #expect(graph.said(by: "all") == ["all#1 10", "all#2 1", "all#3 1", "all#4 1"])
  }

  @Test func `combine takes the last of several values that an input made in one turn`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        many: {from: a, pipe: [{map: "range(.)"}]}
        both: {combine: [a, many]}
        """)
    try graph.send("3", to: "a")
    #expect(graph.said(by: "both") == ["both#1 [3,2]"])
  }

  @Test func `with_latest and sample see the others settled`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        late: {combine: [a, {from: a, pipe: [{map: . * 2}]}]}
        paired: {from: a, pipe: [{with_latest: late}]}
        sampled: {from: late, pipe: [{sample: {on: a}}]}
        """)
    try graph.send("1", to: "a")
    #expect(graph.said(by: "paired", "sampled") == ["paired#1 [1,[1,2]]", "sampled#1 [1,2]"])
  }

  @Test func `all first values are one turn, in the order of the file`() throws {
    let graph = try TestGraph(
      signals: """
        sum: {combine: [one, two]}
        two: {property: {initial: 2}}
        one: {property: {initial: 1}}
        """)
    #expect(graph.said() == ["two#1 2", "one#1 1", "sum#1 [1,2]"])
  }

  @Test func `merge ends when all of its inputs have, and fails when one does`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        b: {input: {endable: true}}
        all: {merge: [a, b]}
        """)
    try graph.runtime.end(graph.signal("a"), with: .completed)
    #expect(graph.said(by: "all") == [])
    try graph.runtime.end(graph.signal("b"), with: .failed(SignalFailure(code: "x", message: "")))
    #expect(graph.said(by: "all") == ["all failed x"])
  }

  @Test func `combine completes as soon as no further value can come`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        b: {input: {endable: true}}
        both: {combine: [a, b]}
        """)
    try graph.send("1", to: "a")
    try graph.runtime.end(graph.signal("b"), with: .completed)
    #expect(graph.said(by: "both") == ["both completed"])
  }

  /// A graph whose turns take as long as a clock says that moves on by 10 ms with each reading.
  private func timedGraph(_ signals: String) throws -> TestGraph {
    let graph = try TestGraph(
      TestGraph.configuration(
        "signalbox: 1\nserver: {limits: {turn_time: 200ms}}\ngraphs: {g: {signals: {\(signals)}}}"))
    var time = Duration.zero
    graph.limitTurns {
      time += .milliseconds(10)
      return Instant.zero + time
    }
    return graph
  }

  @Test func `a turn that takes too long ends, and says where`() throws {
    let graph = try timedGraph("a: {input: {}}, many: {from: a, pipe: [{map: range(.)}]}, behind: {from: many}")
    try graph.send("10000", to: "a")
    // The clock is read for every 32nd of the values of both and of the evaluation.
    let said = graph.said(by: "many", "behind")
    #expect(300...800 ~= said.count)
    #expect(graph.warnings.contains { $0.contains("turn longer than 200ms (limits.turn_time)") })
    #expect(graph.signal("many").losses.dropped > 9000)
    // The next turn has its own time.
    try graph.send("3", to: "a")
    #expect(graph.said(by: "many").count == 3)
  }

  @Test func `evaluations of a turn that takes too long are refused`() throws {
    let graph = try timedGraph(
      "a: {input: {}}, all: {from: a, pipe: [{map: '.[]'}, {filter: . < 0}]}")
    try graph.send("[\((0..<5000).map(String.init).joined(separator: ","))]", to: "a")
    #expect(graph.signal("all").losses.errors > 3000)
    #expect(graph.signal("all").sequence == 0)
  }

  @Test(.inOneRuntime) func `a recorded evaluation ends where its searches were cut`() throws {
    let graph = try TestGraph(signals: "a: {input: {}}\nb: {from: a, pipe: [{map: 'test(\"x\")'}]}")
    for (cuts, said) in [([], ["b#1 true"]), ([TurnCut(search: 1, piece: 1)], []), ([], ["b#2 true"])] {
      graph.runtime.beginInput(repeating: cuts)
      try graph.send("\"x\"", to: "a")
      #expect(graph.said(by: "b") == said)
    }
    #expect(graph.refusals.map(\.failure.message) == ["the pattern takes too long for this value"])
  }

  @Test func `values that need no turn of their own are not one long turn`() throws {
    let graph = try timedGraph("a: {input: {}}, b: {input: {type: number}}")
    #expect(graph.signal("a").isRelay)
    for name in ["a", "b"] {
      for value in 0..<2000 { try graph.runtime.send(.value(.number(Double(value))), to: graph.signal(name)) }
      #expect(graph.signal(name).sequence == 2000 && graph.signal(name).losses.dropped == 0)
    }
  }

  @Test func `first values take their time`() throws {
    let graph = try timedGraph("s0: {value: 1}")
    let signals = (0..<2000).map { "s\($0): {value: 1, pipe: [{map: . + 1}]}" }
    _ = graph.reload(try TestGraph.configuration(signals: signals.joined(separator: "\n")))
    #expect(graph.runtime.signals.count == 2000)
    #expect(graph.runtime.signals.allSatisfy { $0.sequence > 0 && $0.losses.errors == 0 && $0.losses.dropped == 0 })
  }

  @Test func `values of one turn beyond the limit are dropped and counted`() throws {
    let graph = try TestGraph(
      TestGraph.configuration(
        """
        signalbox: 1
        server: {limits: {turn: 10}}
        graphs:
          g:
            signals:
              a: {input: {}}
              many: {from: a, pipe: [{map: "range(.)"}]}
              behind: {from: many}
        """))
    try graph.send("50", to: "a")
    let said = graph.said(by: "many", "behind")
    #expect(said.filter { $0.hasPrefix("many") }.count == said.filter { $0.hasPrefix("behind") }.count + 1)
    #expect(said.count == 9)
    #expect(
      graph.warnings == [
        "behind: more than 10 values in one turn (limits.turn)", "many: more than 10 values in one turn (limits.turn)",
      ])
    try graph.send("1", to: "a")
    #expect(graph.said(by: "many").count == 1)
  }

  @Test func `a value beyond the limit is dropped and counted`() throws {
    let graph = try TestGraph(
      TestGraph.configuration(
        """
        signalbox: 1
        server: {limits: {value: 100}}
        graphs:
          g:
            signals:
              a: {input: {}}
              pairs: {from: a, pipe: [pairwise]}
        """))
    let long = "\"" + String(repeating: "x", count: 60) + "\""
    for value in ["1", long, long, "2"] { try graph.send(value, to: "a") }
    #expect(graph.said(by: "pairs").count == 2)
    #expect(graph.signal("pairs").losses.dropped == 1)
    #expect(graph.warnings == ["pairs: value exceeds 100 bytes (limits.value)"])
  }
}
