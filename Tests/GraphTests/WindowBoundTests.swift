import Signals
import Testing

@testable import GraphCatalogue
@testable import GraphEngine
@testable import GraphModel

/// A window that holds no more values than its limit.
@Suite struct `The bound of a window` {
  private static let steps = [
    "time: 10s", "time: 10s, emit: both", "every: '*:*:0/10', timezone: UTC",
    "every: '*:*:0/10', timezone: UTC, emit: both", "time: 10s, timestamp: .",
    "every: '*:*:0/10', timezone: UTC, timestamp: .",
  ]

  private func graph(_ step: String) throws -> TestGraph {
    try TestGraph(signals: "in: {input: {}}\nx: {from: in, pipe: [{window: {\(step)}}]}")
  }

  /// Sends each number at that time, in seconds.
  private func send(_ times: ClosedRange<Int>, to graph: TestGraph) throws {
    for time in times {
      graph.advance(to: Double(time))
      try graph.send("\(time)", to: "in")
    }
  }

  @Test(arguments: steps) func `fails with a value past it, without another rule`(step: String) throws {
    let graph = try graph("\(step), limit: 2")
    try send(1...4, to: graph)
    #expect(graph.said(by: "x") == ["x#1 [1]", "x#2 [1,2]", "x failed overflow"])
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test(arguments: steps) func `lets the oldest value leave for a new one`(step: String) throws {
    let graph = try graph("\(step), limit: 2, overflow: drop_oldest")
    try send(1...4, to: graph)
    #expect(graph.said(by: "x") == ["x#1 [1]", "x#2 [1,2]", "x#3 [2,3]", "x#4 [3,4]"])
    #expect(graph.signal("x").losses.dropped == 2)
  }

  @Test(arguments: steps) func `leaves out a new value, for which nothing is emitted`(step: String) throws {
    let graph = try graph("\(step), limit: 2, overflow: drop_newest")
    try send(1...4, to: graph)
    #expect(graph.said(by: "x") == ["x#1 [1]", "x#2 [1,2]"])
    #expect(graph.signal("x").losses.dropped == 2)
  }

  @Test(arguments: steps, ["fail", "drop_oldest", "drop_newest"])
  func `counts no values that have left`(step: String, overflow: String) throws {
    let graph = try graph("\(step), limit: 2, overflow: \(overflow)")
    try send(1...2, to: graph)
    _ = graph.said()
    try send(20...21, to: graph)
    let lists = graph.said(by: "x").compactMap { $0.split(separator: " ").last }
    #expect(lists.filter { $0.contains("20") } == ["[20]", "[20,21]"])
    #expect(graph.signal("x").ending == nil)
    #expect(graph.signal("x").losses.dropped == 0)
  }

  @Test func `has expiries of the values that are left`() throws {
    let graph = try graph("time: 10s, emit: both, limit: 2, overflow: drop_oldest")
    try send(1...4, to: graph)
    _ = graph.said()
    graph.advance(to: 100)
    #expect(graph.said(by: "x") == ["x#5 [4]", "x#6 []"])
  }

  @Test(arguments: ["time: 10s", "every: '*:*:0/10', timezone: UTC"], [1, 2])
  func `by timestamps leaves out a late value that is the oldest itself`(step: String, limit: Int) throws {
    let graph = try graph("\(step), timestamp: ., lateness: 5s, limit: \(limit), overflow: drop_oldest")
    for time in [12, 13, 11] { try graph.send("\(time)", to: "in") }
    #expect(graph.said(by: "x").last == (limit == 1 ? "x#2 [13]" : "x#2 [12,13]"))
    #expect(graph.signal("x").losses.dropped == (limit == 1 ? 2 : 1))
  }

  @Test(arguments: ["limit", "overflow"]) func `is by default that of a buffer`(name: String) throws {
    let parameters = try [OperatorDeclaration.window, .buffer].map { declaration in
      try #require(declaration.parameters.first { $0.name == name })
    }
    #expect(parameters[0].initial == (name == "limit" ? "100000" : "fail"))
    #expect(parameters[0].initial == parameters[1].initial && parameters[0].bounds == parameters[1].bounds)
  }

  @Test(.inOneRuntime) func `did not exist under the rules of earlier logs`() throws {
    let graph = try graph("time: 10s, limit: 2")
    graph.runtime.rules = .second
    try send(1...3, to: graph)
    #expect(graph.said(by: "x").last == "x#3 [1,2,3]")
  }

  @Test func `cannot be given to a window of a count`() throws {
    for parameter in ["limit: 10", "overflow: drop_oldest"] {
      #expect(throws: (any Error).self) { try graph("count: 2, \(parameter)") }
    }
  }

  /// Versions without the bound wrote it, and read it again after a downgrade.
  @Test func `leaves the saved state of the graph as it was`() throws {
    let graph = try TestGraph(
      signals: """
        in: {input: {}}
        a: {from: in, pipe: [{window: {time: 3s}}, {map: length}]}
        b: {from: in, pipe: [{window: {time: 3s, emit: both}}, {map: length}]}
        c: {from: in, pipe: [{map: . + 1}, {window: {every: '*:*:0/10', timezone: UTC}}, {scan: {initial: 0, next: . + 1}}]}
        d: {from: in, pipe: [{window: {time: 3s, timestamp: ., lateness: 1s}}, {map: length}]}
        e: {from: in, pipe: [{window: {every: minute, timezone: UTC, timestamp: .}}, {map: length}]}
        f: {from: in, pipe: [{skip: 1}, {window: {count: 2}}, {skip: 1}]}
        """, restarts: true)
    for (time, value) in [(1, "100"), (2, "101"), (3, "99.5")] {
      graph.advance(to: Double(time))
      try graph.send(value, to: "in")
    }
    let state = graph.runtime.state()
    let hash = state.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    #expect(state.count == 589)
    #expect(hash == 9_676_530_991_689_968_823)
  }
}
