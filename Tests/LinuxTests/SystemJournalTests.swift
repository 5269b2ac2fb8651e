import Glibc
import Linux
import TestSupport
import Testing

/// The system journal, in files of the test's own.
@Suite struct `The journal of systemd` {
  private let folder = TemporaryFolder()
  private var file: JournalFile { JournalFile(folder("a.journal")) }

  private func open(
    from start: SystemJournal.Start = .beginning, meeting conditions: [[[String]]] = []
  ) throws -> SystemJournal {
    let journal = try SystemJournal(folder: folder.path)
    _ = try journal.begin(from: start, meeting: conditions)
    return journal
  }

  /// Returns the unread messages, with the place of each oversized one in order.
  private func messages(_ journal: SystemJournal, limit: Int = 10_000) throws -> [String] {
    var messages: [String] = []
    while let item = try journal.next(limit: limit) {
      guard case .entry(let entry) = item else {
        messages.append("too large")
        continue
      }
      messages += entry.fields.filter { $0.name == "MESSAGE" }.map { String(decoding: $0.value, as: UTF8.self) }
    }
    return messages
  }

  @Test func `entries come with their fields, whatever is in them, and with their times`() throws {
    try file.add([[("MESSAGE", [0xff, 0, 10]), ("X", [49]), ("X", [50])]], at: 5)
    let journal = try open()
    guard case .entry(let entry)? = try journal.next(limit: 1000) else {
      Issue.record("there is an entry")
      return
    }
    #expect(entry.realtime == 1_700_000_005_000_000)
    #expect(entry.monotonic == 5_000_000)
    func values(_ name: String) -> Set<[UInt8]> { Set(entry.fields.filter { $0.name == name }.map { Array($0.value) }) }
    #expect(values("MESSAGE") == [[0xff, 0, 10]])
    #expect(values("X") == [[49], [50]])
    #expect(try journal.next(limit: 1000) == nil)
  }

  @Test func `it is read from its end, from its beginning or behind an entry`() throws {
    try file.add("1", "2", at: 0)
    let (all, new) = (try open(), try open(from: .end))
    let first = try #require(try all.next(limit: 1000)).cursor
    #expect(try messages(open(from: .after(first))) == ["2"])
    #expect(try messages(new) == [])
    try file.add("3", at: 2)
    try new.process()
    try all.process()
    #expect(try messages(new) == ["3"])
    #expect(try messages(all) == ["2", "3"])
  }

  @Test func `an empty journal is read from its beginning when something comes`() throws {
    let journal = try SystemJournal(folder: folder.path)
    #expect(!journal.hasFiles)
    #expect(try journal.begin(from: .end, meeting: []) == .found(after: nil))
    #expect(try messages(journal) == [])
    try file.add("1", at: 0)
    try journal.process()
    #expect(journal.hasFiles)
    #expect(try messages(journal) == ["1"])
  }

  @Test func `matches of one field are alternatives, those of several fields belong together`() throws {
    for (second, (unit, priority)) in [("a", "3"), ("a", "6"), ("b", "3"), ("b", "4"), ("c", "3")].enumerated() {
      try file.add("\(unit)\(priority)", at: second, with: ["UNIT": unit, "PRIORITY": priority])
    }
    func found(_ conditions: [[[String]]]) throws -> [String] { try messages(open(meeting: conditions)) }
    #expect(try found([[["UNIT=a"]]]) == ["a3", "a6"])
    #expect(try found([[["UNIT=a", "UNIT=b"]]]) == ["a3", "a6", "b3", "b4"])
    #expect(try found([[["UNIT=a", "PRIORITY=3"]]]) == ["a3"])
    #expect(try found([[["UNIT=a", "PRIORITY=6"], ["UNIT=b"]], [["PRIORITY=3", "PRIORITY=6"]]]) == ["a6", "b3"])
    // The place may be at an entry that does not match.
    let last = try #require(try open(meeting: [[["UNIT=b"]]]).next(limit: 1000)).cursor
    #expect(try messages(open(from: .after(last), meeting: [[["UNIT=c"]]])) == ["c3"])
  }

  @Test func `files come and go, and where an entry is gone reading resumes after its place`() throws {
    try file.add("1", "2", at: 0)
    let journal = try open()
    let first = try #require(try journal.next(limit: 1000)).cursor
    rename(folder("a.journal"), folder("a@1.journal"))
    try JournalFile(folder("b.journal")).add("3", at: 2)
    try journal.process()
    #expect(try messages(journal) == ["2", "3"])
    unlink(folder("a@1.journal"))
    try JournalFile(folder("b.journal")).add("4", at: 3)
    try journal.process()
    #expect(try messages(journal) == ["4"])
    let other = try SystemJournal(folder: folder.path)
    #expect(try other.begin(from: .after(first), meeting: []) == .lost)
    #expect(try messages(other) == ["3", "4"])
    let none = try SystemJournal(folder: folder.path)
    #expect(try none.begin(from: .after("no cursor"), meeting: []) == .lost)
    #expect(try messages(none) == ["3", "4"])
  }

  @Test(arguments: [10, 100_000]) func `an entry that is too large is left out, and not the next one`(size: Int) throws
  {
    let zeros = [UInt8](repeating: 48, count: size)
    try file.add([[("MESSAGE", zeros), ("X", zeros)], [("MESSAGE", [49])]], at: 0)
    let limit = 2 * size + "MESSAGE=X=".utf8.count + "_BOOT_ID=".utf8.count + 32
    #expect(try messages(open(), limit: limit).map(\.utf8.count) == [size, 1])
    #expect(try messages(open(), limit: limit - 1) == ["too large", "1"])
  }

  @Test func `the reason why a journal cannot be read is known`() throws {
    #expect(SystemJournalFiles.fault(in: folder("missing"))?.number == ENOENT)
    #expect(SystemJournalFiles.fault(in: folder.path)?.number == ENOENT)
    #expect(throws: Errno.self) { try SystemJournal(folder: folder("missing")) }
    mkdir(folder("machine"), 0o755)
    try JournalFile(folder("machine/a.journal")).add("1", at: 0)
    #expect(SystemJournalFiles.fault(in: folder.path) == nil)
  }
}
