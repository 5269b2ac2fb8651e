import JSON
import Signals
import Testing

@testable import GraphCatalogue
@testable import GraphEngine
@testable import GraphModel

/// A window that also emits when values leave it.
@Suite struct `A window that emits expiries` {
  private func graph(_ step: String, others: String = "") throws -> TestGraph {
    try TestGraph(signals: "in: {input: {endable: true}}\nx: {from: in, pipe: [{window: {\(step)}}]}\n\(others)")
  }

  private func send(_ values: [(Double, String)], to graph: TestGraph) throws {
    for (time, value) in values {
      graph.advance(to: time)
      try graph.send(value, to: "in")
    }
  }

  @Test func `emits what is left at the age of each value, and an empty list after the last`() throws {
    let graph = try graph("time: 3s, emit: both")
    try send([(0, "1"), (1, "2")], to: graph)
    #expect(graph.said(by: "x") == ["x#1 [1]", "x#2 [1,2]"])
    graph.advance(to: 2.999)
    #expect(graph.said(by: "x") == [])
    graph.advance(to: 3)
    #expect(graph.said(by: "x") == ["x#3 [2]"])
    graph.advance(to: 100)
    #expect(graph.said(by: "x") == ["x#4 []"])
    #expect(graph.runtime.nextDeadline == nil)
    try send([(100, "3")], to: graph)
    graph.advance(to: 103)
    #expect(graph.said(by: "x") == ["x#5 [3]", "x#6 []"])
  }

  @Test func `emits once for the values of one moment`() throws {
    let graph = try graph("time: 3s, emit: both")
    try send([(0, "1"), (0, "2"), (0, "3"), (1, "4")], to: graph)
    _ = graph.said()
    graph.advance(to: 10)
    #expect(graph.said(by: "x") == ["x#5 [4]", "x#6 []"])
  }

  @Test func `emits once where a value enters as others leave`() throws {
    let graph = try graph("time: 3s, emit: both")
    try send([(0, "1"), (1, "2")], to: graph)
    graph.move(to: 3)
    try graph.send("3", to: "in")
    graph.runtime.clock.runDueTimers()
    graph.advance(to: 3.5)
    #expect(graph.said(by: "x") == ["x#1 [1]", "x#2 [1,2]", "x#3 [2,3]"])
    graph.advance(to: 10)
    #expect(graph.said(by: "x") == ["x#4 [3]", "x#5 []"])
  }

  @Test func `emits at most one list for each value beside that of its arrival`() throws {
    let graph = try graph("time: 3s, emit: both")
    try send((0..<200).map { (Double($0 / 2), "\($0)") }, to: graph)
    graph.advance(to: 1000)
    #expect(200...400 ~= graph.signal("x").sequence)
  }

  @Test func `without it is silent between arrivals`() throws {
    for step in ["time: 3s", "time: 3s, emit: arrivals"] {
      let graph = try graph(step)
      try send([(0, "1"), (1, "2")], to: graph)
      #expect(graph.runtime.nextDeadline == nil)
      graph.advance(to: 10)
      try send([(10, "3")], to: graph)
      #expect(graph.said(by: "x") == ["x#1 [1]", "x#2 [1,2]", "x#3 [3]"])
    }
  }

  @Test(arguments: [SignalEnding.completed, .interrupted, .failed(SignalFailure(code: "error", message: ""))])
  func `ends with its input, and values that are left do not leave`(ending: SignalEnding) throws {
    let graph = try graph("time: 3s, emit: both")
    try send([(0, "1"), (1, "2")], to: graph)
    _ = graph.said()
    try graph.runtime.end(graph.signal("in"), with: ending)
    graph.advance(to: 10)
    let said = graph.said(by: "x")
    #expect(said.count == 1 && said[0].hasPrefix("x ") && graph.signal("x").sequence == 2, "\(said)")
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test func `emits late expiries in the order of all timers that were due`() throws {
    let others = "y: {from: in, pipe: [{window: {time: 310ms, emit: both}}]}"
    let graph = try graph("time: 300ms, emit: both", others: others)
    try send([(0, "1"), (0.02, "2"), (0.04, "3")], to: graph)
    _ = graph.said()
    graph.jump(to: 1)
    #expect(
      graph.said(by: "x", "y")
        == ["x#4 [2,3]", "y#4 [2,3]", "x#5 [3]", "y#5 [3]", "x#6 []", "y#6 []"])
  }

  @Test(arguments: ["time: 2s, emit: both", "every: '*:*:0/3', timezone: UTC, emit: both"])
  func `resumes with its values and its timer, which are its state`(step: String) throws {
    let example = OperatorExample(
      "window: {\(step)}", in: "12-3---1--|", out: "-----------",
      values: "{a: [1], b: [1, 2], c: [2], d: [2, 3], e: [3], z: []}")
    let straight = try ExampleRun(example, restarts: false).drawn
    #expect(try ExampleRun(example, restarts: true).drawn == straight)
    #expect(try ExampleRun(example, restarts: true, isForgetful: true).drawn != straight)
  }

  @Test func `stays as it is in a reload that leaves it alone`() throws {
    func configuration(_ last: String) throws -> Configuration {
      try TestGraph.configuration(
        signals: "in: {input: {}}\nx: {from: in, pipe: [{window: {time: 3s, emit: both}}]}\ny: {value: \(last)}")
    }
    let graph = TestGraph(try configuration("1"))
    try send([(0, "1"), (1, "2")], to: graph)
    _ = graph.said()
    _ = graph.reload(try configuration("2"))
    graph.advance(to: 10)
    #expect(graph.said(by: "x") == ["x#3 [2]", "x#4 []"])
  }

  @Test func `restarts in a reload that lets it emit expiries`() throws {
    func configuration(_ emit: String) throws -> Configuration {
      try TestGraph.configuration(
        signals: "in: {input: {}}\nx: {from: in, pipe: [{window: {time: 3s, emit: \(emit)}}]}")
    }
    let graph = TestGraph(try configuration("both"))
    try send([(0, "1")], to: graph)
    _ = graph.said()
    #expect(graph.reload(try configuration("arrivals")).changed == ["g.x"])
    graph.advance(to: 10)
    #expect(graph.said(by: "x") == [])
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test func `of a lazy signal forgets its values, and waits for nothing, without subscribers`() throws {
    let graph = try TestGraph(
      signals: "in: {input: {}}\nx: {from: in, lazy: true, pipe: [{window: {time: 3s, emit: both}}]}")
    graph.attach(to: "x")
    try send([(0, "1")], to: graph)
    #expect(graph.runtime.nextDeadline != nil)
    graph.detach(from: "x")
    #expect(graph.runtime.nextDeadline == nil)
    graph.attach(to: "x")
    try send([(1, "2")], to: graph)
    graph.advance(to: 10)
    #expect(graph.said(by: "x") == ["x#1 [1]", "x#2 [2]", "x#3 []"])
  }

  @Test func `of each key waits for its own values`() throws {
    let graph = try TestGraph(
      signals: """
        in: {input: {}}
        x:
          from: in
          pipe:
            - {group_by: {key: '. % 2', idle: 10s, pipe: [{window: {time: 3s, emit: both}}, {map: '[$key, length]'}]}}
        """)
    try send([(0, "1"), (1, "2"), (2, "3")], to: graph)
    graph.advance(to: 9)
    #expect(
      graph.said(by: "x")
        == ["x#1 [1,1]", "x#2 [0,1]", "x#3 [1,2]", "x#4 [1,1]", "x#5 [0,0]", "x#6 [1,0]"])
  }

  @Test func `of a period emits an empty list when that ends`() throws {
    let graph = try graph("every: '*:*:0/10', timezone: UTC, emit: both")
    try send([(1, "1"), (2, "2")], to: graph)
    graph.advance(to: 9.999)
    #expect(graph.said(by: "x") == ["x#1 [1]", "x#2 [1,2]"])
    graph.advance(to: 35)
    #expect(graph.said(by: "x") == ["x#3 []"])
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test func `of a period emits no empty list before a value of its very end`() throws {
    let graph = try graph("every: '*:*:0/10', timezone: UTC, emit: both")
    try send([(1, "1")], to: graph)
    graph.move(to: 10)
    try graph.send("2", to: "in")
    graph.advance(to: 11)
    #expect(graph.said(by: "x") == ["x#1 [1]", "x#2 [2]"])
  }

  /// Version 1.0 wrote these for windows without `emit`, and reads them again after a downgrade.
  @Test func `has the encoding of one that emits arrivals alone`() throws {
    var window = TimedWindow()
    window.append(.number(7), at: Instant(nanoseconds: 5))
    var written = StateEncoder()
    var expected = StateEncoder()
    window.encode(to: &written)
    expected.count(1)
    Instant(nanoseconds: 5).encode(to: &expected)
    Payload.value(.number(7)).encode(to: &expected)
    #expect(written.bytes == expected.bytes)
  }
}
