import GraphEngine
import GraphModel
import JSON
import Signals
import StateLog
import TestSupport
import Testing

@testable import Persistence

/// The senders of entries in the journal.
@Suite struct SenderTests {
  private static let graphs = """
    g:
      durable: true
      signals:
        in: {input: {endable: true}}
        outside: {from: other.raw}
        late: {from: in, pipe: [{debounce: 1s}]}
    other:
      signals:
        raw: {input: {}}
        pass: {from: raw, pipe: [{send_to: g.in}]}
    """

  private static let ann = EntrySender(userID: 1000, connection: .socket(7))
  private static let bob = EntrySender(userID: 4_294_967_294, connection: .bus(":1.42"))

  @Test(arguments: [EntrySender.Connection.socket(7), .bus(":1.42"), .adapter(7)])
  func `a sender is read as it was written`(connection: EntrySender.Connection) throws {
    var writer = StateEncoder()
    EntrySender(userID: 1, connection: connection).encode(to: &writer)
    var reader = StateDecoder(writer.bytes)
    #expect(try EntrySender(from: &reader) == EntrySender(userID: 1, connection: connection) && reader.isAtEnd)
    if connection == .adapter(7) { #expect("\(connection)" == "adapter 7") }
  }

  /// Returns each entry of a folder with its sender, as read from the journal.
  private static func senders(in folder: TemporaryFolder) throws -> [String] {
    let state = try FolderReader(folder.path)
    let replay = try Replay(try #require(try state.newestSnapshot()))
    var told: [String] = []
    replay.onEntry = { [unowned replay] entry, _ in
      let sender = replay.sender.map { "\($0.userID) \($0.connection)" } ?? "nobody"
      told.append("\(replay.durable.summary(of: entry)): \(sender)")
    }
    try state.forEachCommit(after: replay.firstCommit, upTo: UInt64(Int64.max)) { (commit) throws(StorageError) in
      if commit.number > replay.firstCommit { try replay.work(out: commit) }
    }
    return told
  }

  @Test func `a value, an ending and a restart have the client that sent them`() throws {
    let host = try DurableHost(Self.graphs)
    host.send(.number(1), to: "g.in", from: Self.ann)
    host.settle()
    let values = DurableGraphs.Content.values([.value(.number(2)), .value(.number(3))])
    host.send(values, to: try #require(host.main.signal(named: "g.in")), message: "m", from: Self.bob)
    host.end("g.in", with: .completed, from: Self.ann)
    host.settle()
    host.restart("g.in", by: Self.bob)
    host.settle()
    let told = try Self.senders(in: host.copyOfState())
    #expect(
      told == [
        "a value for g.in: 1000 7", "a value for g.in: 4294967294 :1.42",
        "an ending of g.in: 1000 7", "a restart of g.in, g.late: 4294967294 :1.42",
      ])
  }

  @Test func `no timer, crossing or value of another graph has the client that sent before it`() throws {
    let host = try DurableHost(Self.graphs)
    host.send(.number(1), to: "g.in", from: Self.ann)
    host.send(.number(2), to: "other.raw", from: Self.bob)
    host.send(.number(3), to: "g.in", from: Self.ann)
    host.pass(.seconds(2))
    host.send(.number(4), to: "g.in", from: Self.ann)
    host.send(.number(5), to: "g.in")
    host.settle()
    let told = try Self.senders(in: host.copyOfState())
    let client = "a value for g.in: 1000 7"
    #expect(told.prefix(1) == [client])
    #expect(told[1..<3].sorted() == ["a value for g.in: nobody", "an event of other.raw: nobody"])
    #expect(told.dropFirst(3) == [client, "timers: nobody", client, "a value for g.in: nobody"])
  }

  @Test func `each commit can be read by itself`() throws {
    let host = try DurableHost(Self.graphs)
    for value in 1...3 {
      host.send(.number(Double(value)), to: "g.in", from: Self.ann)
      host.settle()
    }
    let told = try Self.senders(in: host.copyOfState())
    #expect(
      told == [String](repeating: "a value for g.in: 1000 7", count: 3))
  }

  @Test func `a burst of one client notes it once, and clients in turn each time`() throws {
    func size(_ senders: [EntrySender?]) -> Int {
      var log = EntryLog()
      for sender in senders {
        log.append(.value(.value(.number(1)), to: 0, message: nil), at: EntryTime(), from: sender)
        log.close(RollingHash(), cuts: [])
      }
      #expect(log.count == senders.count && log.valueCount == senders.count)
      return log.bytes.count
    }
    let plain = size([EntrySender?](repeating: nil, count: 100))
    let note = size([Self.ann]) - size([nil])
    #expect(note > 0 && note <= 8)
    #expect(size([EntrySender?](repeating: Self.ann, count: 100)) == plain + note)
    let other = EntrySender(userID: 1001, connection: .socket(8))
    #expect(size((0..<100).map { $0 % 2 == 0 ? Self.ann : other }) == plain + 100 * note)
  }

  @Test func `graphs continue after a kill and a repair, and a message that is sent again is not noted`() throws {
    let host = try DurableHost(Self.graphs)
    host.send(.number(1), to: "g.in", message: "m", from: Self.ann)
    host.send(.number(2), to: "g.in", from: Self.bob)
    host.settle()
    let copy = try host.copyOfState()
    #expect(try StateRepair(of: FolderReader(copy.path)).damage == nil)
    #expect(try StateRepair.carryOut(in: copy.path).damage == nil)
    #expect(try Self.senders(in: copy).count == 2)
    try host.kill()
    host.send(.number(1), to: "g.in", message: "m", from: Self.bob)
    host.settle()
    #expect(host.answers.last == "m 1 again")
    #expect(host.told(of: "g.in") == ["g.in 1 1", "g.in 2 2"])
    #expect(try Self.senders(in: host.copyOfState()).isEmpty)
  }

  @Test func `what a repair keeps still has its senders`() throws {
    let host = try DurableHost(Self.graphs)
    for sender in [Self.ann, Self.bob, Self.ann] {
      host.send(.number(1), to: "g.in", from: sender)
      host.settle()
    }
    let copy = try host.copyOfState()
    try Self.spoilLastCommit(in: copy.path)
    #expect(try StateRepair.carryOut(in: copy.path).lostCommits == 1)
    let told = try Self.senders(in: copy)
    #expect(
      told == [
        "a value for g.in: 1000 7", "a value for g.in: 4294967294 :1.42",
        "a value for g.in: 1000 7",
      ])
  }

  /// Writes one more commit, with a wrong result.
  private static func spoilLastCommit(in path: String) throws {
    let state = try StateFolder(path)
    var last: Commit?
    let snapshot = try #require(try state.newestSnapshot())
    try state.forEachCommit(after: snapshot.number) { (commit) throws(StorageError) in last = commit }
    let commit = try #require(last)
    let writer = try state.makeWriter {}
    writer.append(
      Commit(number: commit.number + 1, time: commit.time, count: 1, entries: commit.entries, hash: 1), synced: true)
    writer.close()
    if let failure = writer.progress.failure { throw failure }
  }
}
