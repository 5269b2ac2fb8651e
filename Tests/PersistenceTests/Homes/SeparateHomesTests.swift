import DiskFaults
import GraphModel
import GraphStories
import JSON
import Signals
import StateLog
import TestSupport
import Testing

@testable import GraphEngine
@testable import Persistence

/// Durable graphs of two homes that use each other's signals: one in the folder, one in a stream.
@Suite(.streams("b")) struct SeparateHomesTests {
  private static let graphs = """
    a:
      durable: true
      signals:
        in: {input: {endable: true}, replay: 9}
        sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}], replay: 9}
    b:
      durable: true
      signals:
        in: {input: {}, replay: 9}
        count: {from: a.sum, pipe: [{scan: {initial: 0, next: $state + 1}}], hold: true}
    """

  private static let stream = Home.stream(graph: "b", partition: 0)

  private func value(_ host: DurableHost, _ name: String) -> String? {
    host.main.signal(named: name)?.retained.latest(1).first.map { "\($0.payload.value)" }
  }

  @Test func `each has an epoch, commits and a rolling hash of its own`() throws {
    let host = try DurableHost(Self.graphs)
    let (folder, stream) = (host.graphs[0], host.graphs[1])
    #expect(stream.home == Self.stream && folder.epoch != stream.epoch)
    #expect(host.numbering(of: "a.in") != host.numbering(of: "b.in"))
    let (commit, hash) = (folder.lastCommit, folder.durable.hash)
    let earlier = stream.lastCommit
    for value in 1...3 {
      host.send(.number(Double(value)), to: "b.in")
      host.settle()
    }
    #expect(folder.lastCommit == commit && folder.durable.hash == hash)
    #expect(stream.lastCommit == earlier + 3)
    #expect(folder.durable.places.map(\.name).filter { $0.hasPrefix("b.") }.isEmpty)
  }

  /// The moment at which a process ends after the value was sent.
  enum Moment: CaseIterable {
    case beforeCommit, committed, crossed, told
  }

  @Test(arguments: Moment.allCases)
  func `a value reaches the other home once, whenever the process is killed`(moment: Moment) throws {
    let host = try DurableHost(Self.graphs)
    host.send(7, to: "a.in", message: "one")
    switch moment {
    case .beforeCommit: break
    case .committed:
      host.turn()
      host.waitUntilHandedOverIsWritten()
    case .crossed: host.settleOnce()
    case .told: host.settle()
    }
    for _ in 1...2 {
      try host.kill()
      host.send(7, to: "a.in", message: "one")
      host.settle()
      #expect(value(host, "a.sum") == "7" && value(host, "b.count") == "1")
    }
    #expect(host.fallen.isEmpty)
    #expect(Set(host.told(of: "b.count")) == ["b.count 1 1"])
  }

  @Test func `an ended signal stays ended after a kill, in both homes, and restarts in both`() throws {
    let host = try DurableHost(Self.graphs)
    host.end("a.in", with: .completed)
    host.settle()
    try host.kill()
    let names = ["a.in", "a.sum", "b.count"]
    #expect(names.map { host.main.signal(named: $0)?.ending } == [.completed, .completed, .completed])
    #expect(host.told(of: "b.count") == ["b.count completed"])
    let commits = host.graphs.map(\.lastCommit)
    try host.kill()
    // A start without news is a snapshot in place of a commit, and nothing else.
    #expect(host.graphs.map(\.lastCommit) == commits.map { $0 + 1 })
    host.restart("a.in")
    host.settle()
    #expect(names.allSatisfy { host.main.signal(named: $0)?.ending == nil && host.original(of: $0)?.ending == nil })
    host.send(4, to: "a.in")
    host.settle()
    #expect(value(host, "a.sum") == "4" && value(host, "b.count") == "1")
  }

  @Test func `a lazy signal runs for a subscriber in the other home, and only for one`() throws {
    let host = try DurableHost(
      """
      a: {durable: true, signals: {in: {input: {}}, lazy: {from: in, lazy: true}}}
      b: {durable: true, signals: {out: {from: a.lazy, lazy: true, replay: 9}}}
      c: {signals: {out: {from: a.lazy, lazy: true}}}
      """)
    func runs() -> Bool? { host.original(of: "a.lazy")?.isRunning }
    #expect(runs() == false)
    host.attach(to: "b.out")
    host.settle()
    #expect(runs() == true)
    host.attach(to: "c.out")
    host.settle()
    host.detach(from: "b.out")
    host.settle()
    #expect(runs() == true && host.original(of: "b.out")?.isRunning == false)
    try host.handOver(attached: ["c.out"])
    #expect(runs() == true)
    host.detach(from: "c.out")
    host.settle()
    #expect(runs() == false)
    host.attach(to: "b.out")
    host.send(1, to: "a.in")
    host.settle()
    host.send(2, to: "a.in")
    host.settle()
    #expect(host.told(of: "b.out").last == "b.out 1 2")
  }

  @Test func `values are sent from home to home, and a circle of them is cut`() throws {
    let yaml = """
      signalbox: 1
      server: {limits: {chain: 20}}
      graphs:
        a: {durable: true, signals: {in: {input: {}, pipe: [{send_to: b.in}], replay: 99}}}
        b: {durable: true, signals: {in: {input: {}, pipe: [{map: . + 1}, {send_to: a.in}], replay: 99}}}

      """
    let host = try DurableHost(yaml: yaml, microseconds: 0)
    host.send(1, to: "a.in")
    host.settle()
    #expect(host.told(of: "a.in").prefix(2) == ["a.in 1 1", "a.in 2 2"])
    #expect(host.told(of: "b.in").prefix(2) == ["b.in 1 2", "b.in 2 3"])
    #expect(host.told.count == 21)
  }

  @Test func `a full disk stops one home alone, which then gets what the other holds`() throws {
    var disks: [FaultyDisk] = []
    let host = try DurableHost(yaml: DurableHost.yaml(Self.graphs), microseconds: 0) { disks.append(FaultyDisk($0)) }
    disks[1].fill()
    host.send(1, to: "b.in", message: "lost?")
    host.settle()
    #expect(host.graphs.map { $0.failure?.kind } == [nil, .full])
    for value in 2...4 {
      host.send(.number(Double(value)), to: "a.in")
      host.graphs[0].endIteration()
      host.waitUntilWriterRests()
      host.turn()
      for graphs in host.graphs { graphs.releaseCommitted() }
    }
    host.send(5, to: "b.in", message: "refused")
    #expect(host.answers == ["a.in 1", "a.in 2", "a.in 3", "refused refused"])
    #expect(host.told(of: "a.sum") == ["a.sum 1 2", "a.sum 2 5", "a.sum 3 9"])
    disks[1].mend()
    host.graphs[1].retry()
    host.waitForProgress()
    host.settle()
    #expect(host.answers.last == "lost? 1")
    #expect(host.told(of: "b.count") == ["b.count 1 1", "b.count 2 2", "b.count 3 3"])
  }

  @Test func `a handover continues both, with nothing lost or doubled`() throws {
    let host = try DurableHost(Self.graphs)
    for value in 1...4 {
      host.send(.number(Double(value)), to: "a.in")
      host.send(.number(Double(value)), to: "b.in")
      try host.handOver()
    }
    #expect(host.told(of: "b.count") == (1...4).map { "b.count \($0) \($0)" })
    #expect(host.told(of: "a.sum") == ["a.sum 1 1", "a.sum 2 3", "a.sum 3 6", "a.sum 4 10"])
    #expect(host.told(of: "b.in") == (1...4).map { "b.in \($0) \($0)" })
  }

  @Test func `an ordinary end leaves nothing on its way to another home`() throws {
    let host = try DurableHost(
      """
      a: {durable: true, signals: {out: {from: b.in}}}
      b: {durable: true, signals: {in: {input: {}}, out: {from: a.out, hold: true}}}
      c: {durable: true, signals: {out: {from: b.out, hold: true}}}
      """)
    host.send(1, to: "b.in")
    try host.stop()
    #expect(value(host, "b.out") == "1" && value(host, "c.out") == "1")
  }

  @Test func `snapshots of one home are its own`() throws {
    let host = try DurableHost(Self.graphs)
    host.send(1, to: "a.in")
    host.settle()
    let before = host.graphs[0].snapshots.last
    host.graphs[1].takeSnapshot()
    host.settle()
    #expect(host.graphs[0].snapshots.last == before)
    let copy = try host.copyOfState(of: Self.stream)
    let replay = try Replay(try #require(try StateFolder(copy.path).newestSnapshot())) { bytes throws(StateError) in
      try ReplayedConfiguration(bytes: bytes, in: Self.stream)
    }
    #expect(replay.durable.places.filter(\.isOriginal).map(\.name) == ["b.in", "b.count"])
    #expect(replay.durable.runtime.signal(named: "b.count")?.sequence == 1)
  }

  @Test func `a home that a reload opens again delivers what it retains`() throws {
    func graphs(_ isDurable: Bool) -> String {
      """
      a: {durable: true, signals: {got: {from: b.out, pipe: [{scan: {initial: 0, next: $state + 1}}], replay: 9}}}
      b: {\(isDurable ? "durable: true, " : "")signals: {in: {input: {}}, out: {from: in, replay: 9}}}
      """
    }
    let host = try DurableHost(graphs(true))
    for value in 1...2 { host.send(.number(Double(value)), to: "b.in") }
    host.settle()
    #expect(value(host, "a.got") == "2")
    try host.kill(then: graphs(false))
    #expect(value(host, "a.got") == nil)
    try host.reload(graphs(true))
    #expect(value(host, "b.out") == "2" && value(host, "a.got") == "2")
    host.send(3, to: "b.in")
    host.settle()
    #expect(value(host, "a.got") == "3")
  }

  @Test func `a graph that a reload moves to another home restarts there, under its numbers and another epoch`() throws
  {
    let host = try DurableHost(Self.graphs)
    host.send(1, to: "a.in")
    host.settle()
    try Home.$ofGraph.withValue({ .stream(graph: $0, partition: 0) }) {
      try host.reload(Self.graphs)
      host.send(5, to: "a.in")
      host.settle()
      #expect(host.told(of: "a.sum") == ["a.sum 1 1", "a.sum 2 5"])
      // What is computed from it restarts as well.
      #expect(host.told(of: "b.count") == ["b.count 1 1", "b.count 2 1"])
      #expect(host.last["a.sum in the folder"] == 1)
      try host.kill()
      #expect(value(host, "a.sum") == "5" && value(host, "b.count") == "1")
    }
    #expect(host.graphs[0].configuration.configuration.names(in: .folder).isEmpty)
    #expect(host.fallen.isEmpty)
  }
}
