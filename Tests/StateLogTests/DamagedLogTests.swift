import Glibc
import Linux
import TestSupport
import Testing

@testable import StateLog

/// The recovery of a killed process's files that were damaged before the next open.
@Suite struct `Damaged logs` {
  private let place = TemporaryFolder(inMemory: true)

  private static let last: UInt64 = 140

  /// The files of a process that was killed twice: after commit 70, and after commit 140.
  private struct Killed {
    let path: String
    /// The files after the first kill.
    let earlier: [String: [UInt8]]
    let files: [String: [UInt8]]
  }

  private static let names = ["state.sqlite", "state.sqlite-wal", "state.sqlite-mark"]

  private static func files(_ path: String) -> [String: [UInt8]] {
    Dictionary(uniqueKeysWithValues: names.compactMap { name in Files.read("\(path)/\(name)").map { (name, $0) } })
  }

  /// A commit of another run.
  private static func other(_ number: UInt64) -> Commit {
    let sample = Commit.sample(number)
    return Commit(
      number: number, time: sample.time, count: sample.count, entries: Array(sample.entries.reversed()),
      hash: ~sample.hash)
  }

  /// Writes commits up to a number, some of them synced at once, and exits abruptly once they are reported.
  private static func write(_ path: String, upTo last: UInt64, isOther: Bool) throws {
    let writing = try Writing(StateFolder(path), WriterLimits(syncDelay: .seconds(600)))
    var number = writing.writer.progress.written
    if number == 0 { writing.writer.append(Snapshot.sample(0)) }
    while number < last {
      let batch = (number + 1...number + 7).map { isOther ? Self.other($0) : .sample($0) }
      writing.append(batch, synced: number % 2 == 0)
      number += 7
      let reached = number
      guard writing.progress({ $0.written == reached }) != nil else { return }
    }
    Glibc.kill(getpid(), SIGKILL)
  }

  private func kill(_ path: String, after last: UInt64, isOther: Bool) async {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, last = last as UInt64, isOther = isOther as Bool] in
      try Self.write(path, upTo: last, isOther: isOther)
    }
  }

  private func killed(_ name: String = "state") async throws -> Killed {
    let path = place(name)
    await kill(path, after: 70, isOther: name == "other")
    let earlier = Self.files(path)
    await kill(path, after: Self.last, isOther: name == "other")
    return Killed(path: path, earlier: earlier, files: Self.files(path))
  }

  /// Writes files into a folder, replacing those of the same names.
  private func put(_ files: [String: [UInt8]], into path: String) throws {
    // No index of a log survives a reboot, and that of a killed process has nothing essential.
    unlink("\(path)/state.sqlite-shm")
    for name in Self.names {
      guard let bytes = files[name] else {
        unlink("\(path)/\(name)")
        continue
      }
      if Files.read("\(path)/\(name)") != bytes { try overwrite("\(path)/\(name)", bytes) }
    }
  }

  /// Overwrites a file in place.
  private func overwrite(_ path: String, _ bytes: [UInt8]) throws {
    let file = OwnedDescriptor(owning: open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    try file.transfer.writeAll(bytes)
  }

  private static let whole = (1...last).map { Commit.sample($0) }

  /// Checks the recovered contents: an error, or everything, which after a power cut is the synced part.
  private func expectTold(
    _ path: String, on boot: UInt64 = LogMark.boot, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> StorageError? {
    do throws(StorageError) {
      let commits = try Recovered(at: path, on: boot).commits
      let count = boot == LogMark.boot ? Self.whole.count : max(Self.whole.count - 7, commits.count)
      #expect(commits == Array(Self.whole.prefix(count)), comment, sourceLocation: sourceLocation)
      return nil
    } catch {
      #expect(error.kind == .damaged, "\(comment): \(error)", sourceLocation: sourceLocation)
      return error
    }
  }

  // MARK: The log

  enum Damage: CaseIterable {
    case bit, zeros, noise, cut, hole

    func carryOut(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
      var damaged = bytes
      switch self {
      case .bit: damaged[offset] ^= 1 << (offset % 8)
      case .zeros: fill(&damaged, offset, 512) { _ in 0 }
      case .noise: fill(&damaged, offset, 4096) { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
      case .cut: damaged.removeLast(bytes.count - offset)
      case .hole: damaged.removeSubrange(offset..<min(offset + 4120, bytes.count))
      }
      return damaged
    }

    private func fill(_ bytes: inout [UInt8], _ offset: Int, _ count: Int, _ byte: (Int) -> UInt8) {
      for index in offset..<min(offset + count, bytes.count) { bytes[index] = byte(index) }
    }
  }

  @Test(arguments: Damage.allCases)
  func `damage anywhere in the log of a killed process is reported, or has cost nothing`(damage: Damage) async throws {
    let killed = try await killed()
    let log = try #require(killed.files["state.sqlite-wal"])
    #expect(expectTold(killed.path, "as it was") == nil)
    var told = 0
    var random = SplitMix(seed: UInt64.random(in: 0...UInt64.max))
    let frame = 4096 + 24
    // The header, the first frame, the middle, the last frame, and anywhere.
    let places = [0, 9, 32, 60, log.count / 4, log.count / 2, log.count - frame + 3, log.count - 1]
    for offset in places + (0..<20).map({ _ in Int.random(in: log.indices, using: &random) }) {
      var files = killed.files
      files["state.sqlite-wal"] = damage.carryOut(log, at: offset)
      try put(files, into: killed.path)
      for boot in [LogMark.boot, 1] {
        let error = expectTold(killed.path, on: boot, "\(damage) at \(offset)")
        if error != nil { told += 1 }
      }
    }
    #expect(told > 20)
    // Committed data was not damaged further.
    try put(killed.files, into: killed.path)
    #expect(expectTold(killed.path, "restore") == nil)
  }

  enum Loss: CaseIterable {
    case noLog, emptyLog, earlierLog, earlierDatabase, otherLog, noDatabase, emptyDatabase, shortDatabase, noFiles
    case noMark, emptyMark, shortMark, noiseInMark, onlyDatabase

    func carryOut(_ files: [String: [UInt8]], earlier: [String: [UInt8]], other: [String: [UInt8]]) -> [String: [UInt8]]
    {
      var changed = files
      let (database, log, mark) = ("state.sqlite", "state.sqlite-wal", "state.sqlite-mark")
      switch self {
      case .noLog: changed[log] = nil
      case .emptyLog: changed[log] = []
      case .earlierLog: changed[log] = earlier[log]
      case .earlierDatabase: (changed[database], changed[log]) = (earlier[database], earlier[log])
      case .otherLog: changed[log] = other[log]
      case .noDatabase: changed[database] = nil
      case .emptyDatabase: changed[database] = []
      case .shortDatabase: changed[database]?.removeLast(4096 + 7)
      case .noFiles: (changed[database], changed[log]) = (nil, nil)
      case .noMark: changed[mark] = nil
      case .emptyMark: changed[mark] = []
      case .shortMark: changed[mark]?.removeLast(1)
      case .noiseInMark: changed[mark] = changed[mark]?.map { $0 ^ 0x55 }
      case .onlyDatabase: (changed[log], changed[mark]) = (nil, nil)
      }
      return changed
    }
  }

  @Test(arguments: Loss.allCases)
  func `a file of a killed process that is missing, or is another one, is reported`(loss: Loss) async throws {
    let killed = try await killed()
    let other = try await self.killed("other")
    try put(loss.carryOut(killed.files, earlier: killed.earlier, other: other.files), into: killed.path)
    for boot in [LogMark.boot, 1] {
      let error = expectTold(killed.path, on: boot, "\(loss)")
      // All of its pages are in the log.
      #expect((error == nil) == (loss == .shortDatabase), "\(loss)")
    }
    if loss == .shortDatabase { return }
    // A reader is refused as well.
    #expect(throws: StorageError.self) {
      let reader = try FolderReader(killed.path)
      _ = try reader.newestSnapshot()
      _ = try reader.commits()
    }
  }

  @Test func `the message states since when, and how far it had come`() async throws {
    let killed = try await killed()
    var files = killed.files
    files["state.sqlite-wal"] = killed.earlier["state.sqlite-wal"]
    try put(files, into: killed.path)
    let error = expectTold(killed.path, "an earlier log")
    let words =
      "is damaged: commit 71 is missing; intact up to commit 70 of 2025-10-09T08:53:20.070000Z; the last one "
      + "written was commit 140 of 2025-10-09T08:53:20.140000Z; restore a copy of"
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  // MARK: Power cuts

  @Test func `what was never synced may be missing after a power cut, and only then`() async throws {
    let killed = try await killed()
    let mark = try #require(LogMark(file: killed.files["state.sqlite-mark"] ?? []))
    // The last batch but one was synced.
    #expect(mark.reach.written.number == Self.last && mark.reach.synced.number == Self.last - 7)
    let log = try #require(killed.files["state.sqlite-wal"])
    var files = killed.files
    files["state.sqlite-wal"] = Array(log.dropLast(10))
    try put(files, into: killed.path)
    #expect(expectTold(killed.path, "the machine runs") != nil)
    let recovered = try Recovered(at: killed.path, on: 1)
    // The writer may have begun with the last batch before the whole of it was there.
    #expect(Int(Self.last) - 7..<Int(Self.last) ~= recovered.commits.count)
    #expect(recovered.commits == Array(Self.whole.prefix(recovered.commits.count)))
  }

  @Test func `a mark that was half written leaves the one before`() async throws {
    let killed = try await killed()
    let bytes = try #require(killed.files["state.sqlite-mark"])
    let mark = try #require(LogMark(file: bytes))
    for count in stride(from: 1, to: LogMark.slotSize, by: 37) {
      var files = killed.files
      var next = mark
      next.count += 1
      next.reach.written.number += 1
      var half = bytes
      half.replaceSubrange(next.offset..<next.offset + count, with: next.bytes.prefix(count))
      files["state.sqlite-mark"] = half
      try put(files, into: killed.path)
      // The previous mark has the same log, or one commit more if all essential data was written.
      let found = try #require(LogMark(file: half))
      #expect(found == mark || found == next)
      if found == mark { #expect(expectTold(killed.path, "\(count) bytes") == nil) }
    }
  }

  // MARK: Older folders

  @Test func `a folder of a program that knew no marks continues, and has one from then on`() async throws {
    let killed = try await killed()
    var files = killed.files
    files["state.sqlite-mark"] = nil
    try put(files, into: killed.path)
    #expect(expectTold(killed.path, "without a mark") != nil)
    do {
      let database = try Database("\(killed.path)/state.sqlite", .write)
      try database.execute("PRAGMA user_version = 0")
    }
    #expect(try Recovered(at: killed.path).commits == Self.whole)
    do { _ = try Writing(StateFolder(killed.path)).close() }
    #expect(Files.size("\(killed.path)/state.sqlite-mark") == LogMark.fileSize)
    do {
      let writing = try Writing(StateFolder(killed.path))
      writing.append([.sample(Self.last + 1)])
      #expect(writing.close().failure == nil)
    }
    unlink("\(killed.path)/state.sqlite-mark")
    #expect(#expect(throws: StorageError.self) { try Recovered(at: killed.path) }?.kind == .damaged)
  }

  @Test func `a writer does not continue after damage that was not looked for`() async throws {
    let killed = try await killed()
    var files = killed.files
    files["state.sqlite-wal"] = killed.earlier["state.sqlite-wal"]
    try put(files, into: killed.path)
    #expect(#expect(throws: StorageError.self) { try StateFolder(killed.path).makeWriter {} }?.kind == .damaged)
    #expect(Self.files(killed.path) == files)
  }
}
