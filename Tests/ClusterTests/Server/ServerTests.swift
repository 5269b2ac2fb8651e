import Signals
import StateLog
import TestSupport
import Testing

@testable import Cluster

@Suite(.enabled(if: NATSServer.isInstalled, "nats-server is not installed")) struct `A log on a real server` {
  private let names = JetStreamNames(prefix: "house", log: LogName(graph: "alarms"))

  @Test func `an owner writes, snapshots and prunes, and its successor begins where it was`() throws {
    let server = try NATSServer()
    var limits = StreamLogLimits()
    limits.partSize = 1_000
    limits.chunkSize = 10_000
    let first = try ServerLog("attic", server, names, limits)
    try first.own()
    func commit(_ number: UInt64) -> Commit {
      .example(number, entries: (0..<2_500).map { UInt8(truncatingIfNeeded: $0 &+ Int(number)) })
    }
    for number: UInt64 in 1...100 { first.append(commit(number), told: [UInt8(number)]) }
    let snapshot = Snapshot(
      number: 100, time: 100, hash: 100, configuration: [1], state: (0..<95_000).map { UInt8($0 % 251) })
    first.append(snapshot)
    for number: UInt64 in 101...150 { first.append(commit(number)) }
    try first.run { first.committed.last == 150 && first.hasSnapshot && first.log.isSettled }

    let second = try ServerLog("cellar", server, names, limits)
    try second.own()
    let recovered = second.outputs.contains { if case .recovered(snapshot, _) = $0 { true } else { false } }
    #expect(recovered)
    #expect(second.read == (101...150).map { commit($0) })

    first.append(commit(151))
    second.append(.example(151))
    try second.run { second.committed == [151] }
    try first.run { !first.log.isOwner && first.read == [.example(151)] }
    let dropped = first.outputs.compactMap { if case .fenced(let dropped, _) = $0 { dropped } else { nil } }
    #expect(dropped == [[151]])
    #expect(first.log.cursor?.chain == second.log.cursor?.chain)
  }

  @Test func `a long log is read in order, with the flow control of the server`() throws {
    let server = try NATSServer()
    let owner = try ServerLog("attic", server, names, StreamLogLimits())
    try owner.own()
    for number: UInt64 in 1...400 { owner.append(.example(number, entries: Array(repeating: 7, count: 100_000))) }
    try owner.run { owner.committed.count == 400 }
    let follower = try ServerLog("cellar", server, names, StreamLogLimits())
    follower.follow()
    try follower.run { follower.read.count == 400 }
    #expect(follower.flowControls > 0)
    #expect(follower.log.cursor?.chain == owner.log.cursor?.chain)
  }
}
