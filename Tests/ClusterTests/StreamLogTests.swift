import ClusterSupport
import Signals
import StateLog
import Testing

@testable import Cluster

@Suite struct StreamLogs {
  @Test func `an owner writes what a follower reads`() {
    let (time, stream) = LogDriver.world()
    let (owner, follower) = (LogDriver("attic", time, stream), LogDriver("cellar", time, stream))
    follower.follow()
    owner.own()
    for number: UInt64 in 1...3 { owner.append(.example(number), told: [UInt8(number)]) }
    owner.run()
    #expect(owner.committed == [1, 2, 3])
    #expect(follower.read.map(\.commit) == [.example(1), .example(2), .example(3)])
    #expect(follower.read.map(\.told) == [[1], [2], [3]])
    #expect(follower.log.cursor == owner.log.cursor)
  }

  @Test func `a commit larger than a message is stored in parts`() {
    let (time, stream) = LogDriver.world()
    var limits = StreamLogLimits()
    limits.partSize = 10
    let (owner, follower) = (LogDriver("attic", time, stream, limits), LogDriver("cellar", time, stream, limits))
    follower.follow()
    owner.own()
    let commit = Commit.example(1, entries: Array(0..<35))
    owner.append(commit, told: Array(0..<12))
    owner.run()
    #expect(stream.last == 1 + 5)
    #expect(follower.read.map(\.commit) == [commit])
    #expect(follower.read.map(\.told) == [Array(0..<12)])
  }

  @Test func `a node that claims an unknown log finds its end, and reads all of it before it begins`() {
    let (time, stream) = LogDriver.world()
    let first = LogDriver("attic", time, stream)
    first.own(committing: 50)
    let second = LogDriver("cellar", time, stream)
    second.own()
    #expect(second.log.isOwner)
    #expect(second.read.count == 50)
    #expect(second.log.cursor?.term == 52)
  }

  @Test func `an owner that was replaced drops what it had under way`() {
    let (time, stream) = LogDriver.world()
    let (first, second) = (LogDriver("attic", time, stream), LogDriver("cellar", time, stream))
    first.own()
    first.append(.example(1))
    first.run()
    second.own()
    first.append(.example(2, entries: [9]))
    first.append(.example(3))
    second.append(.example(2))
    first.run()
    #expect(first.dropped == [2, 3])
    #expect(first.read.last?.commit == .example(2))
    #expect(second.committed == [2])
    #expect(first.log.cursor == second.log.cursor)
  }

  @Test func `an idle owner that was replaced finds out when it doubts`() {
    let (time, stream) = LogDriver.world()
    let (first, second) = (LogDriver("attic", time, stream), LogDriver("cellar", time, stream))
    first.own()
    second.own()
    #expect(first.log.isOwner)
    first.doubt()
    first.run()
    #expect(!first.log.isOwner)
    second.doubt()
    second.run()
    #expect(second.log.isOwner)
  }

  @Test func `an owner that closes its term leaves the log to others`() {
    let (time, stream) = LogDriver.world()
    let (first, second) = (LogDriver("attic", time, stream), LogDriver("cellar", time, stream))
    second.follow()
    first.own()
    first.append(.example(1))
    first.close("cellar")
    first.run()
    #expect(!first.log.isOwner)
    let closed = second.outputs.contains {
      if case .read(.closed(CloseRecord(successor: "cellar")), 3) = $0 { true } else { false }
    }
    #expect(closed)
    first.append(.example(2))
    #expect(first.dropped == [2])
  }

  // MARK: Snapshots

  private let snapshot = Snapshot(number: 3, time: 3, hash: 3, configuration: [7], state: Array(0..<250))

  /// An owner with three commits, a snapshot, and another commit.
  private func ownerWithSnapshot() -> LogDriver {
    let (time, stream) = LogDriver.world()
    var limits = StreamLogLimits()
    limits.chunkSize = 30
    let owner = LogDriver("attic", time, stream, limits)
    owner.own()
    for number: UInt64 in 1...3 { owner.append(.example(number)) }
    owner.append(snapshot)
    owner.append(.example(4))
    owner.run()
    return owner
  }

  @Test func `a snapshot replaces the records before it, and commits go on meanwhile`() {
    let owner = ownerWithSnapshot()
    #expect(owner.committed == [1, 2, 3, 4])
    #expect(owner.stream.first == 5)
    let reader = LogDriver("cellar", owner.time, owner.stream)
    reader.follow()
    reader.run()
    #expect(reader.recovered == snapshot)
    #expect(reader.read.map(\.commit) == [.example(4)])
    #expect(reader.log.cursor?.chain == owner.log.cursor?.chain)
  }

  @Test func `a follower that was away for longer than the log reaches continues from the snapshot`() {
    let (time, stream) = LogDriver.world()
    let (owner, follower) = (LogDriver("attic", time, stream), LogDriver("cellar", time, stream))
    owner.own()
    owner.append(.example(1))
    follower.follow()
    owner.run()
    follower.isCutOff = true
    for number: UInt64 in 2...3 { owner.append(.example(number)) }
    owner.append(snapshot)
    owner.run()
    follower.isCutOff = false
    owner.run(.seconds(20))
    #expect(follower.outputs.contains { if case .recovered(snapshot, _) = $0 { true } else { false } })
    #expect(follower.log.cursor?.chain == owner.log.cursor?.chain)
  }

  /// A snapshot with the number behind the commits that were appended.
  private func replacement(_ number: UInt64) -> Snapshot {
    Snapshot(number: number, time: 9, hash: 77, configuration: [1], state: Array(repeating: 5, count: 100))
  }

  @Test func `a snapshot in the place of a commit reaches followers with the events that it publishes`() {
    let (time, stream) = LogDriver.world()
    let (owner, follower) = (LogDriver("attic", time, stream), LogDriver("cellar", time, stream))
    owner.own()
    follower.follow()
    owner.append(replacement(1), emitted: [1, 2])
    owner.run()
    owner.append(.example(2))
    owner.append(replacement(3), emitted: [3])
    owner.run()
    owner.append(.example(4))
    owner.run(.seconds(5))
    #expect(owner.committed == [2, 4])
    #expect(owner.snapshotsTaken == [1, 3])
    #expect(follower.recoveries == [[], [1, 2], [3]])
    #expect(follower.read.map(\.commit) == [.example(2), .example(4)])
    #expect(follower.log.cursor?.chain == owner.log.cursor?.chain)
    let late = LogDriver("kitchen", time, stream)
    late.follow()
    late.run()
    #expect(late.recoveries == [[3]])
    #expect(late.read.map(\.commit) == [.example(4)])
  }

  @Test func `a snapshot in the place of a commit is stored though another one is under way`() {
    let (time, stream) = LogDriver.world()
    var limits = StreamLogLimits()
    limits.chunkSize = 10
    let owner = LogDriver("attic", time, stream, limits)
    owner.own(committing: 3)
    owner.append(snapshot)
    owner.append(replacement(4), emitted: [])
    owner.run()
    owner.append(.example(5))
    owner.run(.seconds(5))
    #expect(owner.snapshotsTaken.last == 4)
    #expect(owner.committed == [1, 2, 3, 5])
  }

  // MARK: Faults

  @Test func `a new connection continues at once with what the lost one had under way`() {
    let (time, stream) = LogDriver.world()
    let (owner, follower) = (LogDriver("attic", time, stream), LogDriver("cellar", time, stream))
    owner.own(committing: 2)
    follower.follow()
    follower.run()
    for driver in [owner, follower] { driver.isCutOff = true }
    owner.append(.example(3))
    owner.run(.milliseconds(1_500))
    #expect(owner.committed == [1, 2])
    for driver in [owner, follower] { driver.connect() }
    owner.run(.milliseconds(100))
    #expect(owner.committed == [1, 2, 3])
    #expect(follower.read.map(\.commit.number) == [1, 2, 3])
  }

  @Test func `a claimer on a replica that lags behind begins only after it has read everything`() {
    let (time, stream) = LogDriver.world()
    let owner = LogDriver("attic", time, stream)
    owner.own(committing: 20)
    for index in 0..<3 { stream.makeStale(index, for: .seconds(20)) }
    let claimer = LogDriver("cellar", time, stream)
    claimer.own()
    claimer.run(.seconds(10))
    #expect(!claimer.log.isOwner)
    claimer.run(.seconds(15))
    #expect(claimer.log.isOwner)
    #expect(claimer.read.count == 20)
  }

  @Test func `an acknowledged record that the servers have lost is damage, once it was searched for long enough`() {
    let (time, stream) = LogDriver.world()
    let owner = LogDriver("attic", time, stream)
    owner.own(committing: 3)
    stream.loseTail(2)
    owner.append(.example(4))
    owner.run(.seconds(50))
    #expect(owner.damage == nil)
    owner.run(.seconds(20))
    #expect(owner.damage?.sequences == 3...4)
    #expect(owner.damage?.soundCommit == 3)
    #expect(owner.committed == [1, 2, 3])
  }

  /// An owner and a follower of a log whose snapshot the servers have lost.
  private func besideLostSnapshot() -> (owner: LogDriver, follower: LogDriver) {
    let (time, stream) = LogDriver.world()
    let owner = LogDriver("attic", time, stream)
    owner.own(committing: 3)
    owner.append(snapshot)
    owner.run()
    stream.loseChunks()
    let follower = LogDriver("cellar", time, stream)
    follower.follow()
    return (owner, follower)
  }

  @Test func `a snapshot that the servers have lost is damage, once it was searched for long enough`() {
    let (_, follower) = besideLostSnapshot()
    follower.run(.seconds(50))
    #expect(follower.damage == nil)
    follower.run(.seconds(20))
    #expect(follower.damage?.finding == "no server has chunk 0 of snapshot 3")
  }

  @Test func `a snapshot that is missing is read once there is another one`() {
    let (owner, follower) = besideLostSnapshot()
    follower.run(.seconds(30))
    owner.append(replacement(4), emitted: [])
    owner.run(.seconds(60))
    #expect(follower.damage == nil)
    #expect(follower.recoveries == [[]])
  }

  @Test func `a follower does not go on behind records that were lost and replaced`() {
    let (time, stream) = LogDriver.world()
    let (owner, follower) = (LogDriver("attic", time, stream), LogDriver("cellar", time, stream))
    follower.follow()
    owner.own(committing: 3)
    owner.isCutOff = true
    stream.loseTail(2)
    let other = LogDriver("kitchen", time, stream)
    other.own()
    for number: UInt64 in 2...6 { other.append(.example(number, entries: [UInt8(number), 7])) }
    other.run(.seconds(5))
    #expect(follower.damage != nil)
    #expect(follower.read.map(\.commit) == [.example(1), .example(2), .example(3)])
  }

  @Test func `a claimer does not begin when what it has read is lost before it has verified it`() {
    let (time, stream) = LogDriver.world()
    let owner = LogDriver("attic", time, stream)
    owner.own(committing: 3)
    let claimer = LogDriver("cellar", time, stream)
    claimer.follow()
    claimer.run()
    claimer.onRead = { if stream.last == 5 { stream.loseTail(2) } }
    claimer.claim()
    claimer.run(.seconds(50))
    #expect(!claimer.log.isOwner)
    #expect(claimer.damage == nil)
    claimer.run(.seconds(20))
    #expect(claimer.damage?.sequences == 4...5)
  }

  @Test func `a follower that has read more than the log contains finds out when a term begins there`() {
    let (time, stream) = LogDriver.world()
    let (owner, follower) = (LogDriver("attic", time, stream), LogDriver("cellar", time, stream))
    follower.follow()
    owner.own(committing: 3)
    let other = LogDriver("kitchen", time, stream)
    other.follow()
    owner.run()
    for reader in [follower, other] {
      reader.ownerReports(term: 1, boot: "attic-1", sequence: 4)
      #expect(reader.damage == nil)
    }
    follower.ownerReports(term: 3, boot: "kitchen-1", sequence: 3)
    #expect(follower.damage?.sequences == 3...4)
    other.ownerReports(term: 1, boot: "kitchen-1", sequence: 2)
    #expect(other.damage?.sequences == 1...4)
  }

  @Test func `a record that is no record stops the reading at its place`() {
    let (time, stream) = LogDriver.world()
    let (owner, follower) = (LogDriver("attic", time, stream), LogDriver("cellar", time, stream))
    follower.follow()
    owner.own()
    owner.append(.example(1))
    owner.run()
    stream.submit(.append(.commit, [1, 2, 3], after: 2)) { _ in }
    owner.run()
    #expect(
      follower.damage?.description
        == "damage at sequence 3 of the log: byte 3: expected at least 68 bytes, found the end; commits up to 1 are sound"
    )
  }
}
