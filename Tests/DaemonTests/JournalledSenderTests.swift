import BusSupport
import Glibc
import Linux
import StateLog
import TestSupport
import Testing

@testable import Persistence

/// The journal identifies clients as the daemon does.
@Suite struct JournalledSenderTests {
  private static let graphs = "g: {durable: true, signals: {in: {input: {endable: true}}}}"

  /// Returns the senders of all entries after the newest snapshot.
  private static func senders(in path: String) throws -> [EntrySender?] {
    let folder = try FolderReader(path)
    return try folder.atOneMoment { () throws(StorageError) in
      guard let snapshot = try folder.newestSnapshot() else { return [] }
      let replay = try Replay(snapshot)
      var senders: [EntrySender?] = []
      replay.onEntry = { [unowned replay] _, _ in senders.append(replay.sender) }
      try folder.forEachCommit(after: snapshot.number) { (commit) throws(StorageError) in try replay.work(out: commit) }
      return senders
    }
  }

  private static func sender(_ number: Int) -> EntrySender {
    EntrySender(userID: getuid(), connection: .socket(number))
  }

  @Test func `a client of the socket has its number, also in the process that resumed the state`() throws {
    let daemon = try HostKind.program.start(Self.graphs)
    let process = try #require(daemon.host as? ProgramHost).process
    let watcher = try daemon.connect()
    try watcher.say("subscribe signalbox.clients")
    _ = try watcher.line()
    let client = try daemon.connect()
    let event = try watcher.line()
    let number = try #require(event.firstMatch(of: /"client":(\d+)/).flatMap { Int($0.1) })
    #expect(try client.ask(#"{"op":"send","signal":"g.in","value":1,"id":1}"#).contains("reply"))
    #expect(try Self.senders(in: daemon.folder("state")) == [Self.sender(number)])
    process.signal(SIGUSR2)
    try process.waitForOutput(containing: "resumed the state")
    #expect(try client.ask(#"{"op":"send","signal":"g.in","event":"completed","id":2}"#).contains("reply"))
    #expect(try client.ask(#"{"op":"restart","signal":"g.in","id":3}"#).contains(#""reply":"restart""#))
    #expect(try Self.senders(in: daemon.folder("state")).suffix(2) == [Self.sender(number), Self.sender(number)])
  }

  @Test func `a caller on the bus has its name there`() throws {
    let folder = try PrivateBus().folder
    let stage = try ServiceStage(
      "g: {durable: true, signals: {in: {input: {}, dbus: true}}}", server: ", state: \(folder("state"))")
    try stage.awaitName()
    #expect(try stage.send(.integer(1), to: "g/in").value != nil)
    let senders = try Self.senders(in: folder("state"))
    let sender = try #require(senders.last ?? nil)
    #expect(sender.userID == getuid())
    guard case .bus(let name) = sender.connection else {
      Issue.record("\(sender)")
      return
    }
    #expect(name.hasPrefix(":"))
  }
}
