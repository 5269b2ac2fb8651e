import GraphEngine
import GraphModel
import Testing

/// Sources over several signals, some of them subscribed to later, or never.
@Suite struct ChoosingSourceTests {
  @Test func `if sees condition and branches settled in the turn that changes it`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        out: {if: {condition: big, then: a, else: {from: a, pipe: [{map: -.}]}}}
        big: {combine: [a], pipe: [{map: '.[0] > 10'}, skip_repeats]}
        """)
    for value in ["5", "20", "30", "1"] { try graph.send(value, to: "a") }
    #expect(graph.said(by: "out") == ["out#1 -5", "out#2 20", "out#3 30", "out#4 -1"])
  }

  @Test func `if reports a condition that is no boolean and keeps its choice`() throws {
    let graph = try TestGraph(
      signals: """
        c: {input: {}}
        a: {input: {}}
        out: {if: {condition: c, then: a, else: {never: true}}}
        """)
    for (value, name) in [("true", "c"), ("1", "a"), ("null", "c"), ("2", "a"), ("false", "c"), ("3", "a")] {
      try graph.send(value, to: name)
    }
    #expect(graph.said(by: "out") == ["out#1 1", "out#2 2"])
    #expect(graph.refusals.map(\.failure.code) == ["bad_value"])
  }

  @Test func `switch takes keys as strings, and each key leaves the case before it`() throws {
    let graph = try TestGraph(
      signals: """
        key: {input: {endable: true}}
        out: {switch: {on: key, cases: {a: {interval: 1s}, 1: {value: one}, "true": held}, default: {value: other}}}
        held: {property: {initial: kept}}
        """)
    try graph.send(#""a""#, to: "key")
    graph.advance(to: 2)
    for key in ["1.0", "true", "null"] { try graph.send(key, to: "key") }
    try graph.runtime.end(graph.signal("key"), with: .completed)
    graph.advance(to: 9)
    #expect(
      graph.said(by: "out") == [
        "out#1 0", "out#2 1", #"out#3 "one""#, #"out#4 "kept""#, #"out#5 "other""#, "out completed",
      ])
  }

  @Test func `switch tells integers apart by all their digits, and strings by their bytes`() throws {
    let keys = ["9007199254740992", "9007199254740993", "18446744073709551615", "e\u{301}", "\u{e9}", "[1,2]"]
    let cases = keys.enumerated().map { "'\($1)': {value: \($0)}" }.joined(separator: ", ")
    let graph = try TestGraph(
      signals: "key: {input: {}}\nout: {switch: {on: key, cases: {\(cases)}, default: {value: none}}}", restarts: false)
    let sent =
      keys.prefix(3) + [#""e\u0301""#, #""\u00e9""#, "[1.0, 2]", "18446744073709551614", "1.8446744073709551e19"]
    for key in sent { try graph.send(key, to: "key") }
    let chosen = (0..<6).map { "out#\($0 + 1) \($0)" }
    #expect(graph.said(by: "out") == chosen + [#"out#7 "none""#, #"out#8 "none""#])
    // State logs of the earlier rules are replayed so.
    graph.runtime.rules = .second
    for key in ["9007199254740993", #""\u00e9""#] { try graph.send(key, to: "key") }
    #expect(graph.said(by: "out") == ["out#9 0", "out#10 3"])
  }

  @Test func `switch fails without a case, or ignores the key if asked to`() throws {
    let graph = try TestGraph(
      signals: """
        key: {input: {}}
        strict: {switch: {on: key, cases: {a: {interval: 1s}}}}
        lenient: {switch: {on: key, cases: {a: {interval: 1s}}, unmatched: ignore}}
        """)
    try graph.send(#""a""#, to: "key")
    try graph.send(#""b""#, to: "key")
    graph.advance(to: 1)
    #expect(graph.said(by: "strict", "lenient") == ["strict failed no_matching_case", "lenient#1 0"])
  }

  @Test func `concat holds what shared signals emit before their turn, and starts the others then`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        b: {input: {endable: true}}
        x: {concat: [a, {timer: 1s}, b]}
        """)
    for (value, name) in [("1", "a"), ("7", "b"), ("2", "a")] { try graph.send(value, to: name) }
    try graph.runtime.end(graph.signal("a"), with: .completed)
    graph.advance(to: 1)
    try graph.send("8", to: "b")
    try graph.runtime.end(graph.signal("b"), with: .completed)
    #expect(graph.said(by: "x") == ["x#1 1", "x#2 2", "x#3 0", "x#4 7", "x#5 8", "x completed"])
  }

  @Test(arguments: [
    ("", [4, 5]), (", overflow: drop_newest", [1, 2]), (", overflow: drop_oldest", [4, 5]),
  ])
  func `concat and zip hold no more than their limit`(overflow: String, kept: [Int]) throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        b: {input: {}}
        one: {concat: [a, b], limit: 2\(overflow)}
        both: {zip: [a, b], limit: 2\(overflow)}
        """)
    for value in 1...5 { try graph.send("\(value)", to: "b") }
    if overflow.isEmpty {
      #expect(graph.said(by: "one", "both") == ["one failed overflow", "both failed overflow"])
      return
    }
    try graph.send("0", to: "a")
    try graph.send("0", to: "a")
    try graph.runtime.end(graph.signal("a"), with: .completed)
    let said = graph.said(by: "one", "both")
    #expect(
      said.filter { $0.hasPrefix("both") } == ["both#1 [0,\(kept[0])]", "both#2 [0,\(kept[1])]", "both completed"])
    #expect(said.filter { $0.hasPrefix("one") } == ["one#1 0", "one#2 0", "one#3 \(kept[0])", "one#4 \(kept[1])"])
    #expect(graph.signal("one").losses.dropped == 3)
  }

  @Test func `zip pairs within a turn, and completes when no further value can come`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        three: {from: a, pipe: [{map: "., . * 10, . * 100"}]}
        x: {zip: {one: a, many: three}}
        y: {zip: [a, {values: [7, 8]}]}
        """)
    try graph.send("1", to: "a")
    try graph.send("2", to: "a")
    #expect(
      graph.said(by: "x", "y") == [
        #"x#1 {"one":1,"many":1}"#, "y#1 [1,7]", #"x#2 {"one":2,"many":10}"#, "y#2 [2,8]", "y completed",
      ])
    try graph.runtime.end(graph.signal("a"), with: .completed)
    #expect(graph.said(by: "x") == ["x completed"])
  }

  @Test func `combine_last waits for all to complete, in vain if one had no value`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        x: {combine_last: {a: a, b: {values: [1, 2]}}}
        y: {combine_last: [a, {empty: true}]}
        """)
    #expect(graph.said(by: "x", "y") == ["y completed"])
    try graph.send("7", to: "a")
    try graph.send("8", to: "a")
    try graph.runtime.end(graph.signal("a"), with: .completed)
    #expect(graph.said(by: "x") == [#"x#1 {"a":8,"b":2}"#, "x completed"])
  }

  @Test func `tuple gives an object with the one key that changed`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        x: {tuple: {one: a, two: {from: a, pipe: [{map: . * 2}]}}}
        """)
    try graph.send("1", to: "a")
    #expect(graph.said(by: "x") == [#"x#1 {"one":1}"#, #"x#2 {"two":2}"#])
  }

  @Test func `of those that emit in one turn the first in the list wins a race`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        b: {from: a, pipe: [{map: . * 10}]}
        x: {race: [late, b, a]}
        late: {combine: [b]}
        y: {from: a, pipe: [{race: {never: true}}]}
        """)
    try graph.send("1", to: "a")
    try graph.send("2", to: "a")
    try graph.runtime.end(graph.signal("a"), with: .interrupted)
    #expect(
      graph.said(by: "x", "y") == ["x#1 [10]", "y#1 1", "x#2 [20]", "y#2 2", "x interrupted", "y interrupted"])
  }

  @Test func `catch and its kin continue with a shared signal as a new subscriber`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        b: {input: {}, hold: true}
        x: {from: a, pipe: [{catch: b}]}
        y: {from: a, pipe: [{then: b}]}
        z: {from: a, pipe: [{on_error_resume_next: b}, {switch_if_empty: {value: none}}]}
        """)
    for (value, name) in [("1", "b"), ("2", "b"), ("3", "a")] { try graph.send(value, to: name) }
    try graph.runtime.end(graph.signal("a"), with: .failed(SignalFailure(code: "gone", message: "")))
    try graph.send("4", to: "b")
    #expect(
      graph.said(by: "x", "y", "z") == [
        "x#1 3", "z#1 3", "x#2 2", "y failed gone", "z#2 2", "x#3 4", "z#3 4",
      ])
  }

  @Test func `throttle while a flag is true keeps the last value`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        busy: {property: {initial: false}}
        x: {from: a, pipe: [{throttle: {while: busy}}]}
        """)
    for (value, name) in [("1", "a"), ("true", "busy"), ("2", "a"), ("3", "a"), ("false", "busy"), ("4", "a")] {
      try graph.send(value, to: name)
    }
    #expect(graph.said(by: "x") == ["x#1 1", "x#2 3", "x#3 4"])
  }
}
