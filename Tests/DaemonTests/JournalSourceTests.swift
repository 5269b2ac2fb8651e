import Glibc
import GraphEngine
import GraphModel
import JSON
import Linux
import Signals
import TestSupport
import Testing

@testable import Daemon
@testable import World

@Suite struct `Journals that graphs follow` {
  private let folder = TemporaryFolder()

  private func start(_ options: String, from path: String? = nil) throws -> TestDaemon {
    try HostKind.inProcess.start(
      "g: {signals: {j: {journal: {directory: \(path ?? folder.path), \(options)}, "
        + "pipe: [{map: .MESSAGE}], replay: 100}}}")
  }

  private func expect(_ messages: [String], in daemon: TestDaemon) throws {
    let host = try #require(daemon.host as? LoopHost)
    let signal = try #require(host.daemon.hub.runtime.signal(named: "g.j"))
    try daemon.iteration { signal.sequence >= UInt64(messages.count) }
    #expect(signal.retained.latest(100).map { $0.payload.value.description } == messages.map { "\"\($0)\"" })
  }

  private func warnings(of daemon: TestDaemon) throws -> [String] {
    try #require(daemon.host as? LoopHost).log.records.filter { $0.level == .warning }.map(\.message)
  }

  @Test func `entries come as they are written, of those units that are asked for, through rotation`() throws {
    let file = JournalFile(folder("system.journal"))
    try file.add("before", at: 0, with: ["_SYSTEMD_UNIT": "a.service"])
    let daemon = try start("unit: a, match: {PRIORITY: [3, 4]}")
    try file.add("1", at: 1, with: ["_SYSTEMD_UNIT": "a.service", "PRIORITY": "3"])
    try file.add("not this", at: 2, with: ["_SYSTEMD_UNIT": "b.service", "PRIORITY": "3"])
    try file.add("nor this", at: 3, with: ["_SYSTEMD_UNIT": "a.service", "PRIORITY": "6"])
    try file.add("nor this", at: 4, with: ["_PID": "2", "UNIT": "a.service", "PRIORITY": "3"])
    try file.add("2", at: 5, with: ["_PID": "1", "UNIT": "a.service", "PRIORITY": "4"])
    try expect(["1", "2"], in: daemon)
    rename(folder("system.journal"), folder("system@1.journal"))
    try JournalFile(folder("system.journal")).add("3", at: 6, with: ["_SYSTEMD_UNIT": "a.service", "PRIORITY": "3"])
    try expect(["1", "2", "3"], in: daemon)
    unlink(folder("system@1.journal"))
    try JournalFile(folder("system.journal")).add("4", at: 7, with: ["_SYSTEMD_UNIT": "a.service", "PRIORITY": "3"])
    try expect(["1", "2", "3", "4"], in: daemon)
    #expect(try warnings(of: daemon) == [])
  }

  @Test func `a journal that is missing is waited for, which is logged once`() throws {
    let path = folder("later")
    let daemon = try start("from: end", from: path)
    try daemon.iteration { [self] in (try? warnings(of: daemon).count) == 1 }
    for _ in 0..<5 { try daemon.host.iteration() }
    mkdir(path, 0o755)
    try JournalFile("\(path)/a.journal").add("1", "2", at: 0)
    try expect(["1", "2"], in: daemon)
    try JournalFile("\(path)/a.journal").add("3", at: 2)
    try expect(["1", "2", "3"], in: daemon)
    #expect(try warnings(of: daemon) == ["g.j: no system journal in \(path), waiting"])
  }

  @Test func `a flood of entries leaves the loop to others`() throws {
    let file = JournalFile(folder("a.journal"))
    try file.add((0..<5000).map { [("MESSAGE", Array("\($0)".utf8))] }, at: 0)
    let daemon = try HostKind.inProcess.start(
      "g: {signals: {j: {journal: {directory: \(folder.path), from: start}}, n: {from: j, pipe: [count], hold: true}}}")
    let client = try daemon.connect()
    let host = try #require(daemon.host as? LoopHost)
    let signal = try #require(host.daemon.hub.runtime.signal(named: "g.j"))
    #expect(try client.ask("ping").contains("ping"))
    #expect(signal.sequence < 5000)
    try daemon.iteration { signal.sequence == 5000 }
  }

  @Test func `an entry that is gone is reported, and reading resumes after its place`() throws {
    try JournalFile(folder("a.journal")).add("1", at: 0)
    let (loop, poller, sink) = (try EventLoop(), try Poller(), MemoryLog())
    let attachment = try poller.attach(to: loop)
    let world = try SystemWorld(loop: loop, poller: poller, log: Log(level: .info, sink: sink))
    let query = SystemJournalQuery(folder: folder.path, conditions: [], limit: 1000, owner: "g.x")
    var events: [SystemJournalEvent] = []
    let lost = "s=00000000000000000000000000000001;i=1;b=00000000000000000000000000000002;m=0;t=1;x=1"
    let reading = world.follow(query, from: .after(lost)) { events.append($0) }
    #expect(events == [])
    while events.isEmpty { try loop.runIteration(timeout: .milliseconds(1)) }
    guard case .entry(let entry)? = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(entry.fields.contains { $0.name == "MESSAGE" && $0.value == [49] })
    #expect(sink.records.count { $0.message.contains("no longer has the entry") } == 1)
    reading.dispose()
    try JournalFile(folder("a.journal")).add("2", at: 1)
    for _ in 0..<20 { try loop.runIteration(timeout: .milliseconds(1)) }
    #expect(events.count == 1)
    withExtendedLifetime(attachment) {}
  }
}
