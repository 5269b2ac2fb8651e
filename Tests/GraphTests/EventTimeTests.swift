import JSON
import Signals
import Testing

@testable import GraphCatalogue
@testable import GraphEngine
@testable import GraphModel

/// Lists of values by the times that they carry.
@Suite struct `Lists by timestamps` {
  private func graph(_ step: String) throws -> TestGraph {
    try TestGraph(signals: "in: {input: {endable: true}}\nx: {from: in, pipe: [{\(step)}, {map: 'map(.n)'}]}")
  }

  /// Sends `{t: TIME, n: NUMBER}` for each pair, numbers from 1 on.
  private func send(_ times: [Double], to graph: TestGraph, from first: Int = 1) throws {
    for (index, time) in times.enumerated() {
      try graph.send("{\"t\": \(time), \"n\": \(first + index)}", to: "in")
    }
  }

  @Test func `of a window are in the order of the timestamps, and as young as it requires`() throws {
    let graph = try graph("window: {time: 10s, timestamp: .t, lateness: 5s}")
    try send([100, 103, 101, 109, 110, 113], to: graph)
    #expect(
      graph.said(by: "x")
        == ["x#1 [1]", "x#2 [1,2]", "x#3 [1,3,2]", "x#4 [1,3,2,4]", "x#5 [3,2,4,5]", "x#6 [4,5,6]"])
  }

  @Test func `of a window leave out and count what is later than it allows`() throws {
    let graph = try graph("window: {time: 10s, timestamp: .t, lateness: 5s}")
    try send([100, 95, 94.9, 90], to: graph)
    #expect(graph.said(by: "x") == ["x#1 [1]", "x#2 [2,1]"])
    #expect(graph.signal("x").losses.dropped == 2)
  }

  @Test func `of a window's period continue while late values may come for it`() throws {
    let graph = try graph("window: {every: minute, timezone: UTC, timestamp: .t, lateness: 30s}")
    try send([10, 70, 50, 95, 60, 59, 80], to: graph)
    #expect(
      graph.said(by: "x") == ["x#1 [1]", "x#2 [2]", "x#3 [1,3]", "x#4 [2,4]", "x#5 [5,2,4]", "x#6 [5,2,7,4]"])
    #expect(graph.signal("x").losses.dropped == 1)
  }

  @Test func `of a buffer are emitted once no value may come for them`() throws {
    let graph = try graph("buffer: {every: minute, timezone: UTC, timestamp: .t, lateness: 30s}")
    try send([10, 70, 50, 89], to: graph)
    #expect(graph.said(by: "x") == [])
    try send([90, 59, 100], to: graph, from: 5)
    #expect(graph.said(by: "x") == ["x#1 [1,3]"])
    #expect(graph.signal("x").losses.dropped == 1)
    try send([150], to: graph, from: 8)
    #expect(graph.said(by: "x") == ["x#2 [2,4,5,7]"])
  }

  @Test func `of a buffer begin with the earliest value`() throws {
    let graph = try graph("buffer: {time: 10s, timestamp: .t, lateness: 5s}")
    try send([100, 98, 107, 108, 113], to: graph)
    #expect(graph.said(by: "x") == ["x#1 [2,1,3]"])
    try send([107.9, 123], to: graph, from: 6)
    #expect(graph.said(by: "x") == ["x#2 [4,5]"])
    #expect(graph.signal("x").losses.dropped == 1)
  }

  @Test func `of a buffer end although no newer value comes, as the time of the newest runs on`() throws {
    let graph = try graph("buffer: {every: minute, timezone: UTC, timestamp: .t, lateness: 30s}")
    try send([1_700_000_000], to: graph)
    // 22:13:20 is 40 s before the end of its minute.
    graph.advance(to: 69.999)
    #expect(graph.said(by: "x") == [])
    graph.advance(to: 70)
    #expect(graph.said(by: "x") == ["x#1 [1]"])
    #expect(graph.runtime.nextDeadline == nil)
  }

  @Test func `are the same whether a timer or a value of its very instant ends them`() throws {
    let graph = try graph("buffer: {time: 10s, timestamp: .t}")
    try send([100], to: graph)
    graph.move(to: 10)
    try send([109], to: graph, from: 2)
    graph.runtime.clock.runDueTimers()
    #expect(graph.said(by: "x") == ["x#1 [1]"])
    #expect(graph.signal("x").losses.dropped == 1)
  }

  @Test func `of a buffer are all emitted at completion`() throws {
    let graph = try graph("buffer: {time: 10s, timestamp: .t, lateness: 1m}")
    try send([100, 120, 115, 104], to: graph)
    try graph.runtime.end(graph.signal("in"), with: .completed)
    #expect(graph.said(by: "x") == ["x#1 [1,4]", "x#2 [3,2]", "x completed"])
  }

  @Test(arguments: [("fail", []), ("drop_oldest", ["x#1 [3,1]"]), ("drop_newest", ["x#1 [2,1]"])])
  func `of a buffer hold no more than its limit`(overflow: String, lists: [String]) throws {
    let graph = try graph("buffer: {time: 10s, timestamp: .t, lateness: 1m, limit: 2, overflow: \(overflow)}")
    try send([102, 101, 102], to: graph)
    try graph.runtime.end(graph.signal("in"), with: .completed)
    #expect(graph.said(by: "x").filter { $0.contains("#") } == lists.map { $0 == "x#1 [3,1]" ? "x#1 [1,3]" : $0 })
  }

  @Test(arguments: ["fail", "drop_oldest", "drop_newest"])
  func `of a buffer end before a value is counted against its limit`(overflow: String) throws {
    let graph = try graph("buffer: {time: 10s, timestamp: .t, limit: 2, overflow: \(overflow)}")
    try send([100, 101, 111, 112, 123], to: graph)
    #expect(graph.said(by: "x") == ["x#1 [1,2]", "x#2 [3,4]"])
    #expect(graph.signal("x").losses.dropped == 0)
  }

  @Test func `take numbers and RFC 3339, whatever its offset`() throws {
    let graph = try graph("window: {time: 1h, timestamp: .t}")
    for time in ["0", "0.5", "\"1970-01-01T00:00:01Z\"", "\"1970-01-01T01:00:01.5+01:00\""] {
      try graph.send("{\"t\": \(time), \"n\": 1}", to: "in")
    }
    #expect(graph.said(by: "x").last == "x#4 [1,1,1,1]")
  }

  @Test(arguments: [
    ("null", "not null"), ("1700000000000", "1700000000000 (divide milliseconds by 1000)"),
    ("-1", "not -1"),
    ("\"noon\"", "not \"noon\""), ("[]", "not an array"),
  ])
  func `refuse anything else`(time: String, reason: String) throws {
    let graph = try TestGraph(
      signals: "in: {input: {}}\nx: {from: in, on_error: emit, pipe: [{window: {time: 1h, timestamp: .t}}]}")
    try graph.send("{\"t\": \(time)}", to: "in")
    let said = graph.said(by: "x").first ?? ""
    #expect(
      said.contains("window takes timestamps from 1970 to 2100, in seconds since 1970 or in RFC 3339, "), "\(said)")
    #expect(said.contains(reason.replacing("\"", with: "\\\"")), "\(said)")
  }

  @Test(arguments: [
    ("buffer: {count: 2, timestamp: .t}", "timestamp requires time or a period as every, without count"),
    ("buffer: {time: 2s, count: 2, timestamp: .t}", "timestamp requires time or a period as every, without count"),
    ("buffer: {time: 2s, lateness: 2s}", "lateness requires timestamp"),
    ("window: {count: 2, timestamp: .t}", "timestamp requires time or every"),
    ("window: {time: 2s, emit: both, timestamp: .t}", "emit: both and timestamp exclude each other"),
    ("window: {time: 2s, lateness: 2s}", "lateness requires timestamp"),
    ("window: {time: 2s, timestamp: .t, lateness: 2s}", "lateness has to be shorter than time"),
  ])
  func `report in the configuration what they require`(step: String, reason: String) {
    #expect {
      try graph(step)
    } throws: {
      "\($0)".contains(reason)
    }
  }

  @Test(arguments: [
    "buffer: {time: 2s, timestamp: ., lateness: 1s}", "window: {time: 2s, timestamp: ., lateness: 1s}",
    "buffer: {every: '*:*:0/3', timezone: UTC, timestamp: ., lateness: 1s}",
    "window: {every: '*:*:0/3', timezone: UTC, timestamp: ., lateness: 2s}",
  ])
  func `resume with their values and the newest timestamp, which are their state`(step: String) throws {
    let example = OperatorExample(
      step, in: "132-64-5----7892|", out: "-----------------", values: "{}")
    let straight = try ExampleRun(example, restarts: false).drawn
    #expect(try ExampleRun(example, restarts: true).drawn == straight)
    #expect(try ExampleRun(example, restarts: true, isForgetful: true).drawn != straight)
  }
}
