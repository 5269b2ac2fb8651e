import GraphModel
import GraphStories
import JSON
import StateLog
import Testing

@testable import Persistence

/// Durable graphs over state logs that are no folder.
@Suite(.streams("b")) struct MemoryHomesTests {
  private static let graphs = """
    a:
      durable: true
      signals:
        in: {input: {}, replay: 9}
        hidden: {from: in, private: true}
        sum: {from: hidden, pipe: [{scan: {initial: 0, next: $state + .}}], hold: true}
    b:
      durable: true
      signals:
        in: {input: {}, replay: 9}
        count: {from: a.sum, pipe: [{scan: {initial: 0, next: $state + 1}}], hold: true}
    """

  private static let stream = Home.stream(graph: "b", partition: 0)
  private let host: MemoryHomes

  init() throws { host = try MemoryHomes(Self.graphs) }

  @Test func `a log records what its commits publish`() throws {
    host.send(2, to: "a.in")
    host.send(3, to: "a.in")
    host.send(4, to: "b.in")
    host.settle()
    #expect(try host.recorded(by: .folder) == ["a.in 1 2", "a.sum 1 2", "a.in 2 3", "a.sum 2 5"])
    #expect(try host.recorded(by: Self.stream) == ["b.in 1 4", "b.count 1 1", "b.count 2 2"])
    let recorded = try host.recorded(by: .folder) + host.recorded(by: Self.stream)
    #expect(host.told.sorted() == (recorded + ["a.hidden 1 2", "a.hidden 2 3"]).sorted())
  }

  @Test func `nothing is published before its log has it, and logs do not wait for each other`() throws {
    host.send(1, to: "a.in")
    host.send(1, to: "b.in")
    host.turn()
    host.release()
    #expect(host.told.isEmpty && host.answers.isEmpty)
    try host.log(of: Self.stream).write()
    host.release()
    #expect(host.told == ["b.in 1 1"] && host.answers == ["b.in 1"])
    host.settle()
    #expect(host.answers == ["b.in 1", "a.in 1"])
  }

  @Test func `graphs continue from their logs`() throws {
    for value in 1...3 { host.send(value, to: "a.in") }
    host.settle()
    host.send(9, to: "b.in")
    host.turn()
    let next = try MemoryHomes(Self.graphs, after: host)
    // The last value was not written.
    #expect(next.value(of: "a.sum") == 6 && next.value(of: "b.count") == 3 && next.value(of: "b.in") == nil)
    next.send(4, to: "a.in")
    next.settle()
    #expect(next.value(of: "a.sum") == 10 && next.value(of: "b.count") == 4)
  }

  @Test func `a log that is away refuses inputs, and its graphs continue by themselves`() throws {
    host.send(1, to: "b.in")
    host.turn()
    try host.log(of: Self.stream).fail(.away)
    host.settle()
    host.send(2, to: "b.in")
    host.send(5, to: "a.in")
    host.settle()
    #expect(host.answers == ["b.in refused: away", "a.in 1"])
    #expect(host.told == ["a.in 1 5", "a.hidden 1 5", "a.sum 1 5"])
    #expect(try host.graphs(of: .folder).failure == nil)
    try host.log(of: Self.stream).write()
    host.settle()
    #expect(host.answers.last == "b.in 1")
    // The value that the other home missed is held.
    #expect(host.value(of: "b.in") == 1 && host.value(of: "b.count") == 1)
    #expect(
      host.logged.map { $0.prefix { $0 != ":" } } == [
        "durable graphs of stream b/0 reject inputs until the error is resolved",
        "durable graphs of stream b/0 resumed",
      ])
  }

  @Test func `a log that another process owns publishes nothing more`() throws {
    host.send(1, to: "b.in")
    host.turn()
    try host.log(of: Self.stream).fail(.fenced)
    host.settle()
    host.send(2, to: "b.in")
    host.send(3, to: "a.in")
    host.settle()
    #expect(host.answers == ["b.in unknown: fenced", "b.in refused: fenced", "a.in 1"])
    #expect(!host.told.contains { $0.hasPrefix("b.") })
    #expect(
      host.logged.map { $0.prefix { $0 != ":" } } == ["durable graphs of stream b/0 reject inputs on this machine"])
  }
}
