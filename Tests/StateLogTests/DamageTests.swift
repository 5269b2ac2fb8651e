import Glibc
import Linux
import TestSupport
import Testing

@testable import StateLog

@Suite struct `Damaged folders` {
  private let place = TemporaryFolder(inMemory: true)
  private var database: String { place("state.sqlite") }

  /// A closed folder of about forty pages.
  private func fill() throws -> Recovered {
    let commits = (1...400).map { Commit.sample($0, bytes: $0 % 50 == 0 ? 6000 : nil) }
    do {
      let writing = try Writing(StateFolder(place.path))
      writing.append(commits.prefix(100), synced: false)
      writing.writer.append(Snapshot.sample(100, bytes: 20_000))
      writing.append(commits.dropFirst(100), synced: false)
      #expect(writing.close().failure == nil)
    }
    return Recovered(snapshot: .sample(100, bytes: 20_000), commits: Array(commits.dropFirst(100)))
  }

  /// Returns the recovered contents of a folder, or the kind of its error.
  private func outcome() -> Result<Recovered, StorageError> {
    do throws(StorageError) { return .success(try Recovered(at: place.path)) } catch { return .failure(error) }
  }

  private static let flips = Int(CurrentProcess.environment("FLIPPED_BITS") ?? "") ?? 400

  @Test func `a flipped bit is found, or changes nothing that counts`() throws {
    let whole = try fill()
    let bytes = try #require(Files.read(database))
    var random = SplitMix(seed: UInt64.random(in: 0...UInt64.max))
    var found = 0
    for _ in 0..<Self.flips {
      // A third of them in the first page, the root of everything else.
      let isFirst = Int.random(in: 0..<3, using: &random) == 0
      let offset = Int.random(in: isFirst ? 0..<4096 : bytes.indices, using: &random)
      let bit = Int.random(in: 0..<8, using: &random)
      var damaged = bytes
      damaged[offset] ^= 1 << bit
      try Files.write(damaged, to: database)
      switch outcome() {
      case .success(let recovered): #expect(recovered == whole, "byte \(offset), bit \(bit)")
      case .failure(let error):
        found += 1
        #expect(error.kind == .damaged || error.kind == .newerVersion, "byte \(offset), bit \(bit): \(error)")
      }
    }
    // Most bytes of the file belong to rows.
    #expect(found > Self.flips / 4)
  }

  @Test func `a page that was lost, or is that of another place, is found`() throws {
    let whole = try fill()
    let bytes = try #require(Files.read(database))
    for page in 0..<bytes.count / 4096 {
      for other in [nil, (page + 3) % (bytes.count / 4096)] {
        var damaged = bytes
        let content = other.map { bytes[$0 * 4096..<($0 + 1) * 4096] } ?? ArraySlice(repeating: 0, count: 4096)
        damaged.replaceSubrange(page * 4096..<(page + 1) * 4096, with: content)
        if damaged == bytes { continue }
        try Files.write(damaged, to: database)
        if case .success(let recovered) = outcome() { #expect(recovered == whole, "page \(page)") }
      }
    }
  }

  @Test func `a file that was cut anywhere is found`() throws {
    _ = try fill()
    let bytes = try #require(Files.read(database))
    for length in stride(from: 0, to: bytes.count, by: 1000) {
      try Files.write(Array(bytes.prefix(length)), to: database)
      #expect(throws: StorageError.self, "\(length) bytes") { try outcome().get() }
    }
  }

  @Test func `writing after damage that no check could see brings no wrong row`() throws {
    let whole = try fill()
    let bytes = try #require(Files.read(database))
    var random = SplitMix(seed: 11)
    for _ in 0..<100 {
      var damaged = bytes
      damaged[Int.random(in: bytes.indices, using: &random)] ^= 1 << Int.random(in: 0..<8, using: &random)
      try Files.write(damaged, to: database)
      do {
        let folder = try StateFolder(place.path)
        if try Recovered(folder) != whole { Issue.record("damage was not found") }
        let writing = try Writing(folder)
        writing.append((401...500).map { Commit.sample($0) }, synced: false)
        writing.writer.append(Snapshot.sample(450))
        if writing.close().failure != nil { continue }
      } catch {
        continue
      }
      if case .success(let recovered) = outcome() {
        #expect(recovered == Recovered(snapshot: .sample(450), commits: (451...500).map { Commit.sample($0) }))
      }
    }
  }

  // MARK: Messages

  private static let changes: [(change: String, words: String)] = [
    (
      "UPDATE commits SET hash = hash + 1 WHERE number = 123",
      "checksum mismatch in commit 123 of 2025-10-09T08:53:20.123000Z; "
        + "intact up to commit 122 of 2025-10-09T08:53:20.122000Z"
    ),
    (
      "UPDATE commits SET entries = x'00' WHERE number = 101",
      "checksum mismatch in commit 101 of 2025-10-09T08:53:20.101000Z;"
    ),
    ("UPDATE commits SET count = NULL WHERE number = 130", "commit 130 of"),
    ("UPDATE commits SET time = 0.5 WHERE number = 130", "checksum mismatch in commit 130"),
    (
      "DELETE FROM commits WHERE number = 200",
      "commit 200 is missing; intact up to commit 199 of 2025-10-09T08:53:20.199000Z"
    ),
    ("DELETE FROM commits WHERE number > 390", "commit 391 is missing; intact up to commit 390 of"),
    ("DELETE FROM commits WHERE number < 110", "commit 101 is missing;"),
    ("UPDATE commits SET number = -5 WHERE number = 400", "commit 400 is missing; intact up to commit 399 of"),
    ("DELETE FROM commits", "commit 101 is missing;"),
    ("UPDATE snapshots SET time = time + 1", "checksum mismatch in snapshot 100 of 2025-10-09T08:53:20.100001Z"),
    ("UPDATE snapshots SET number = 101", "checksum mismatch in snapshot 101 of 2025-10-09T08:53:20.100000Z"),
    ("UPDATE snapshots SET first_part = 9223372036854775807", "snapshot 100 of"),
    ("UPDATE parts SET state = x''", "snapshot 100 of"),
    ("DELETE FROM parts", "snapshot 100 of"),
    ("DELETE FROM snapshots", "snapshot 100 is missing"),
    ("UPDATE meta SET last_commit = 7", "checksum mismatch in table \"meta\""),
    ("UPDATE meta SET epoch = 'other'", "checksum mismatch in table \"meta\""),
    ("INSERT INTO meta SELECT * FROM meta", "checksum mismatch in table \"meta\""),
    ("DELETE FROM meta", "is damaged: no version"),
    ("UPDATE meta SET version = 'x'", "is damaged: no version"),
    ("DROP TABLE snapshots", "no such table: snapshots"),
    ("ALTER TABLE commits DROP COLUMN hash", "no such column: hash"),
  ]

  @Test(arguments: 0..<changes.count)
  func `damage is reported with its place, and the last that is sound`(change: Int) throws {
    let (change, words) = Self.changes[change]
    _ = try fill()
    try removingConstraints { try $0.execute(change) }
    let error = #expect(throws: StorageError.self) { try outcome().get() }
    #expect(error?.kind == .damaged)
    #expect(error?.description.hasPrefix("\(database) is damaged: ") == true)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    let way =
      "restore a copy of \(place.path), keep the intact part with "
      + "`signalbox state repair --state \(place.path)`, or move it away to start without state"
    #expect(error?.description.hasSuffix(way) == true)
  }

  /// Changes a database as if its columns had no constraints.
  private func removingConstraints(_ body: (Database) throws -> Void) throws {
    let tool = try Database(database, .write)
    for table in ["commits", "snapshots", "parts", "meta"] {
      let sql = try #require(try tool.text("SELECT sql FROM sqlite_schema WHERE name = '\(table)'"))
      try tool.execute("ALTER TABLE \(table) RENAME TO old")
      try tool.execute(sql.split(separator: " NOT NULL").joined())
      try tool.execute("INSERT INTO \(table) SELECT * FROM old; DROP TABLE old")
    }
    try body(tool)
  }
}
