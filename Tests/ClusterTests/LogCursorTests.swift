import StateLog
import TestSupport
import Testing

@testable import Cluster

@Suite struct LogCursors {
  /// A log as an owner writes it, record by record.
  private struct Written {
    var messages: [StoredMessage] = []
    var cursor = LogCursor()
    var events: [LogEvent?] = []

    mutating func add(_ content: LogRecord.Content) throws {
      var (term, chain) = (cursor.term, cursor.chain)
      if case .open = content { (term, chain) = (cursor.next, 0) }
      let message = StoredMessage(
        sequence: cursor.next, bytes: LogRecord(term: term, chain: chain, time: 5, content).bytes)
      messages.append(message)
      events.append(try cursor.take(message))
    }

    mutating func add(_ commit: Commit, size: Int = 1000) throws {
      for part in CommitPart.parts(of: commit, told: [9], size: size) { try add(.commit(part)) }
    }
  }

  private func log(_ records: inout RandomRecords) throws -> Written {
    var log = Written()
    for number: UInt64 in 1...3 {
      try log.add(.open(records.open()))
      try log.add(records.commit(number * 2 - 1), size: 10)
      try log.add(records.commit(number * 2))
    }
    return log
  }

  @Test func `records in order are read with their meaning`() throws {
    var (records, log) = (RandomRecords(seed: 1), Written())
    let open = records.open()
    try log.add(.open(open))
    let commit = Commit(number: 1, time: 5, count: 2, entries: [1, 2, 3], hash: 4)
    try log.add(commit, size: 2)
    try log.add(.close(CloseRecord(successor: "attic")))
    #expect(
      log.events == [
        .opened(open), nil, .committed(commit, told: [9]), .closed(CloseRecord(successor: "attic")),
      ])
    #expect(log.cursor.epoch == open.boot)
  }

  @Test(arguments: RandomSeeds.first(20, further: "RANDOM_RECORDS"))
  func `a missing, doubled or exchanged record is damage at its place`(seed: Int) throws {
    var records = RandomRecords(seed: seed)
    let log = try log(&records)
    for index in log.messages.indices.dropLast() {
      var missing = log.messages
      missing.remove(at: index)
      #expect(damage(in: missing)?.sequences == UInt64(index + 1)...UInt64(index + 1))
      var doubled = log.messages
      doubled.insert(doubled[index], at: index)
      #expect(damage(in: doubled)?.sequences == UInt64(index + 2)...UInt64(index + 2))
    }
  }

  private func damage(in messages: [StoredMessage]) -> LogDamage? {
    var cursor = LogCursor()
    do throws(LogDamage) { for message in messages { _ = try cursor.take(message) } } catch { return error }
    return nil
  }

  @Test func `a commit whose parts were interrupted by a new term does not count`() throws {
    var (records, log) = (RandomRecords(seed: 1), Written())
    try log.add(.open(records.open()))
    let cut = CommitPart.parts(of: Commit(number: 1, time: 5, count: 1, entries: [1, 2], hash: 0), told: [], size: 1)
    try log.add(.commit(cut[0]))
    try log.add(.open(records.open()))
    try log.add(records.commit(1))
    #expect(log.cursor.number == 1)
    #expect(log.events.last.flatMap(\.self) != nil)
  }

  @Test func `a commit of an earlier term is damage`() throws {
    var (records, log) = (RandomRecords(seed: 1), Written())
    try log.add(.open(records.open()))
    try log.add(.open(records.open()))
    let late = LogRecord(
      term: 1, chain: log.cursor.chain, time: 5, .commit(CommitPart.parts(of: records.commit(1), told: [], size: 99)[0])
    )
    let found = #expect(throws: LogDamage.self) {
      try log.cursor.take(StoredMessage(sequence: 3, bytes: late.bytes))
    }
    #expect(
      found?.description
        == "damage at sequence 3 of the log: expected a record of term 2, found 1; commits up to 0 are sound")
  }

  @Test func `history that was lost and replaced is found at the first commit behind it`() throws {
    var records = RandomRecords(seed: 1)
    var seen = Written()
    try seen.add(.open(records.open()))
    try seen.add(records.commit(1))
    // The servers lose commit 1; another owner begins where they end, and repeats the numbers.
    var replaced = Written()
    try replaced.add(.open(records.open()))
    try replaced.add(records.commit(1))
    try replaced.add(.open(records.open()))
    try replaced.add(records.commit(2))
    _ = try seen.cursor.take(replaced.messages[2])
    let found = #expect(throws: LogDamage.self) { try seen.cursor.take(replaced.messages[3]) }
    #expect(found?.finding.hasPrefix("expected the chain ") == true)
  }

  @Test func `reading continues behind a snapshot as if everything had been read`() throws {
    var records = RandomRecords(seed: 3)
    var log = try log(&records)
    let marker = SnapshotMarker(
      number: log.cursor.number, time: 5, hash: 0, sequence: log.cursor.last, chain: log.cursor.chain,
      epoch: log.cursor.epoch, chunks: [1], size: 1, checksum: 0)
    var behind = LogCursor(behind: marker, term: log.cursor.term)
    #expect((behind.next, behind.number, behind.chain) == (log.cursor.next, log.cursor.number, log.cursor.chain))
    let count = log.messages.count
    try log.add(records.commit(7))
    try log.add(.snapshot(marker))
    for message in log.messages[count...] { _ = try behind.take(message) }
    #expect((behind.next, behind.number, behind.chain) == (log.cursor.next, log.cursor.number, log.cursor.chain))
  }
}
