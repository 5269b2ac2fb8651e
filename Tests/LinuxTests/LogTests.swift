import Glibc
import TestSupport
import Testing

@testable import Linux

private final class Memory: LogSink {
  var records: [LogRecord] = []
  func write(_ record: LogRecord) { records.append(record) }
}

@Suite struct `The log` {
  @Test func `records below the level are neither written nor put together`() {
    let memory = Memory()
    let log = Log(level: .warning, sink: memory)
    func expensive() -> String {
      Issue.record("evaluated")
      return ""
    }
    log.info(expensive())
    log.warning("kept", ("uid", "0"))
    #expect(memory.records.map(\.message) == ["kept"])
    log.level = .debug
    log.debug("now")
    #expect(memory.records.map(\.message) == ["kept", "now"])
  }

  @Test func `a record for programs is one JSON object on a line`() {
    let record = LogRecord(
      time: WallTime(microseconds: 1_777_636_800_000_001), level: .notice, message: "a \"b\"\n\u{1}é",
      fields: [("signal", "climate.raw")])
    #expect(
      JSONLinesSink.line(record) == """
        {"time":"2026-05-01T12:00:00.000001Z","level":"notice","message":"a \\"b\\"\\n\\u0001é","signal":"climate.raw"}

        """)
  }

  @Test func `a record for people cannot steer a terminal, nor look like several`() {
    let record = LogRecord(
      time: .now(), level: .notice, message: "a\u{1b}]0;title\u{7}\nx: error: b", fields: [("signal", "c\nx: d\u{9b}m")]
    )
    #expect(
      TextSink(identifier: "x").line(record)
        == "x: a\\u001b]0;title\\u0007\n    x: error: b signal=c\\nx: d\\u009bm\n")
  }

  @Test func `a log without a reader costs records and no time, and they are counted`() throws {
    let (ours, theirs) = try UnixSocket.pair().take()
    let reader = OwnedDescriptor(owning: ours)
    let writer = OwnedDescriptor(owning: theirs)
    try reader.setBlocking(false)
    try writer.setBlocking(false)
    let stream = LogStream(writer.number)
    func say(_ message: String) {
      let record = LogRecord(time: WallTime(microseconds: 0), level: .info, message: message, fields: [])
      stream.write(record) { $0.message + "\n" }
    }
    let long = String(repeating: "x", count: 999)
    for _ in 0..<1000 { say(long) }
    var lines = try readLines(reader)
    let whole = lines.filter { $0 == long }.count
    #expect(whole > 10 && whole < 1000)
    say("again")
    lines = try readLines(reader)
    #expect(lines.suffix(2) == ["log records were lost: \(1000 - whole)", "again"])
    say("more")
    #expect(try readLines(reader) == ["more"])
  }

  @Test func `a journal that has stalled costs records and a moment once, and they are counted`() throws {
    let folder = TemporaryFolder()
    let journal = try StandInJournal(path: folder("socket"))
    let sink = SystemJournalSink(identifier: "x", journal: JournalSocket(path: folder("socket")))
    func say(_ message: String) {
      sink.write(LogRecord(time: .now(), level: .notice, message: message, fields: [("signal", "g.s")]))
    }
    say("a\nb")
    #expect(
      journal.entries() == ["MESSAGE\n\u{3}\0\0\0\0\0\0\0a\nb\nPRIORITY=5\nSYSLOG_IDENTIFIER=x\nSIGNALBOX_SIGNAL=g.s\n"]
    )
    for number in 1...5000 { say("\(number)") }
    let taken = journal.entries().count
    #expect(taken > 0 && taken < 5000)
    say("again")
    let later = journal.entries()
    #expect(later.first?.hasPrefix("MESSAGE=log records were lost: \(5000 - taken)\nPRIORITY=4\n") == true)
    #expect(later.count == 2 && later.last?.hasPrefix("MESSAGE=again\n") == true)
  }

  @Test func `a journal that is started again is connected to again`() throws {
    let folder = TemporaryFolder()
    var journal: StandInJournal? = try StandInJournal(path: folder("socket"))
    let sink = SystemJournalSink(identifier: "x", journal: JournalSocket(path: folder("socket")))
    func say(_ message: String) { sink.write(LogRecord(time: .now(), level: .info, message: message, fields: [])) }
    say("a")
    #expect(journal?.entries().count == 1)
    journal = nil
    unlink(folder("socket"))
    say("lost")
    let other = try StandInJournal(path: folder("socket"))
    say("b")
    #expect(other.entries().map { $0.prefix { $0 != "\n" } } == ["MESSAGE=log records were lost: 1", "MESSAGE=b"])
  }

  private func readLines(_ socket: borrowing OwnedDescriptor) throws -> [String] {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case .bytes(let count) = try buffer.withUnsafeMutableBytes({ try socket.transfer.read(into: $0) }) {
      text += buffer.prefix(count)
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `levels are syslog's priorities`() {
    #expect(LogLevel.allCases.map(\.rawValue) == [3, 4, 5, 6, 7])
    #expect(LogLevel(name: "warning") == .warning)
    #expect(LogLevel(name: "loud") == nil)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000Z"), (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
    (-1, "1969-12-31T23:59:59.999999Z"),
  ])
  func `wall time is written as RFC 3339 in UTC`(microseconds: Int64, text: String) {
    #expect(WallTime(microseconds: microseconds).text == text)
  }
}
