import GraphEngine
import GraphModel
import Testing

@Suite struct GroupTests {
  @Test func `each key has a pipe of its own, which sees the key`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        x: {from: a, pipe: [{group_by: {key: .id, max_keys: 10, pipe: [count, {map: '[$key, .]'}]}}]}
        """)
    for id in ["a", "b", "a"] { try graph.send(#"{"id":"\#(id)"}"#, to: "a") }
    try graph.runtime.end(graph.signal("a"), with: .completed)
    #expect(graph.said(by: "x") == [#"x#1 ["a",2]"#, #"x#2 ["b",1]"#, "x completed"])
  }

  @Test func `a key that is idle ends, and comes again as a new one`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        x: {from: a, pipe: [{group_by: {key: ., idle: 2s, pipe: [collect]}}]}
        """)
    for time in [0.0, 1, 2, 6] {
      graph.advance(to: time)
      try graph.send("7", to: "a")
    }
    graph.advance(to: 9)
    #expect(graph.said(by: "x") == ["x#1 [7,7,7]", "x#2 [7]"])
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test(arguments: [
    ("drop_oldest", ["x#1 [1,1]", "x#2 [2]", "x#3 [3]", "x completed"]),
    ("drop_newest", ["x#1 [1,1]", "x#2 [2]", "x completed"]),
    ("fail", ["x failed overflow"]),
  ])
  func `at the limit of keys it follows its overflow policy`(overflow: String, expected: [String]) throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {endable: true}}
        x: {from: a, pipe: [{group_by: {key: ., max_keys: 2, overflow: \(overflow), pipe: [collect]}}]}
        """)
    for value in ["1", "1", "2", "3"] { try graph.send(value, to: "a") }
    try graph.runtime.end(graph.signal("a"), with: .completed)
    #expect(graph.said(by: "x") == expected)
  }

  @Test func `a group may end by itself, or fail all`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        x: {from: a, pipe: [{group_by: {key: . % 2, max_keys: 10, pipe: [{take: 1}]}}]}
        y: {from: a, pipe: [{group_by: {key: . % 2, max_keys: 10, pipe: [{check: . < 4}]}}]}
        """)
    for value in ["1", "3", "2", "4"] { try graph.send(value, to: "a") }
    #expect(graph.said(by: "x", "y") == ["x#1 1", "y#1 1", "y#2 3", "x#2 2", "y#3 2", "y failed check"])
  }

  @Test func `a group sees other signals settled, from its first value on`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        x: {from: a, pipe: [{group_by: {key: ., max_keys: 10, pipe: [{with_latest: ten}]}}]}
        ten: {combine: [a], pipe: [{map: '.[0] * 10'}]}
        """)
    for value in ["1", "2", "1"] { try graph.send(value, to: "a") }
    #expect(graph.said(by: "x") == ["x#1 [1,10]", "x#2 [2,20]", "x#3 [1,10]"])
  }

  @Test func `a value without a key is left out and reported`() throws {
    let graph = try TestGraph(
      signals: """
        a: {input: {}}
        x: {from: a, pipe: [{group_by: {key: .id, max_keys: 10, pipe: [{map: .v}]}}]}
        """)
    try graph.send("5", to: "a")
    try graph.send(#"{"id":1,"v":2}"#, to: "a")
    #expect(graph.said(by: "x") == ["x#1 2"])
    #expect(graph.refusals.count == 1)
  }
}
