import GraphModel
import GraphStories
import JSON
import Signals
import StateLog
import Testing

@testable import Persistence

/// Durable graphs that another node runs, as the clients of this one see them.
@Suite(.streams("b")) struct `Followed graphs` {
  private static let yaml = """
    b:
      durable: true
      signals:
        in: {input: {endable: true}, replay: 9}
        hidden: {from: in, private: true}
        sum: {from: hidden, pipe: [{scan: {initial: 0, next: $state + .}}], hold: true}
        odd: {from: sum, pipe: [{filter: . % 2 == 1}]}
        late: {from: in, pipe: [{debounce: 5s}]}
    """
  private static let stream = Home.stream(graph: "b", partition: 0)

  private func owner(sending values: [Int] = []) throws -> (host: MemoryHomes, log: MemoryStateLog) {
    let host = try MemoryHomes(Self.yaml)
    for value in values {
      host.send(value, to: "b.in")
      host.settle()
    }
    return (host, try host.log(of: Self.stream))
  }

  @Test func `emit the events of the owner, in its order`() throws {
    let (host, log) = try owner()
    let node = try FollowingNode(Self.yaml, of: Self.stream)
    try node.read(log)
    for value in [1, 2, 4] {
      host.send(value, to: "b.in")
      host.settle()
    }
    try node.readOn(log, after: node.followed.told)
    #expect(node.told.contains("b.odd 3 7"))
    #expect(node.told == host.told)
  }

  @Test func `give a node that joins late what is retained, and each later event`() throws {
    let (host, log) = try owner(sending: [1, 2])
    host.snapshot()
    let node = try FollowingNode(Self.yaml, of: Self.stream)
    try node.read(log)
    #expect(node.told == ["b.in 1 1", "b.in 2 2", "b.sum 2 3"])
    host.send(3, to: "b.in")
    host.settle()
    try node.readOn(log, after: node.followed.told)
    #expect(Array(node.told.suffix(3)) == ["b.in 3 3", "b.hidden 3 3", "b.sum 3 6"])
  }

  @Test func `repeat nothing that clients have received`() throws {
    let (host, log) = try owner(sending: [1, 2])
    let told = try #require(log.lastCommit)
    let node = try FollowingNode(Self.yaml, of: Self.stream, told: told)
    try node.read(log)
    #expect(node.told.isEmpty)
    host.send(3, to: "b.in")
    host.settle()
    try node.readOn(log, after: told)
    #expect(node.told == ["b.in 3 3", "b.hidden 3 3", "b.sum 3 6"])
  }

  @Test func `continue on the node that takes over, with the timers that were due meanwhile`() throws {
    let (host, log) = try owner(sending: [1, 2])
    let (second, third) = (
      try FollowingNode(Self.yaml, of: Self.stream), try FollowingNode(Self.yaml, of: Self.stream)
    )
    for node in [second, third] { try node.read(log) }
    let before = second.told
    #expect(before == host.told)
    let continued = MemoryStateLog(killed: log)
    try second.takeOver(continued, at: 20_000_000)
    try second.send(3, to: "b.in", continued)
    #expect(Array(second.told.dropFirst(before.count)) == ["b.late 1 2", "b.in 3 3", "b.hidden 3 3", "b.sum 3 6"])
    try third.read(continued)
    #expect(third.told == second.told)
  }

  @Test func `stop where a replay differs from the log`() throws {
    let (_, log) = try owner(sending: [1])
    let node = try FollowingNode(Self.yaml, of: Self.stream)
    try node.read(log)
    let last = node.followed.told
    let error = #expect(throws: StorageError.self) {
      try node.followed.take(Commit(number: last + 1, time: 1, count: 0, entries: [], hash: 7))
    }
    #expect(error?.description == "replay diverged at commit \(last + 1)")
  }

  @Test(arguments: [
    DurableGraphs.Content.value(.value(["a": 1])), .values([.value(1), .value("b")]), .ending(.completed),
  ])
  func `take what clients of other nodes send as it was sent`(content: DurableGraphs.Content) throws {
    var encoder = StateEncoder()
    ForwardedContent(content, to: "b.in", userID: 7).encode(to: &encoder)
    var decoder = StateDecoder(encoder.bytes)
    let forwarded = try ForwardedContent(from: &decoder)
    #expect((forwarded.signal, forwarded.userID) == ("b.in", 7))
    #expect("\(forwarded.content)" == "\(content)")
    #expect(decoder.isAtEnd)
  }
}
