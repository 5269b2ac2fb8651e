import Foundation
import Glibc
import Linux
import TestSupport
import Testing

@testable import StateLog

@Suite struct `Journal writers` {
  private let place = TemporaryFolder(inMemory: true)
  private var database: String { place("state.sqlite") }

  // MARK: Commits

  @Test func `commits that come while the disk is busy go together into one transaction`() throws {
    let writing = try Writing(StateFolder(place.path))
    let other = try Database(database, .write)
    // The writer waits for this transaction as it would wait for a disk.
    try other.execute("BEGIN IMMEDIATE")
    writing.append((1...200).map { Commit.sample($0) })
    try other.execute("COMMIT")
    #expect(writing.progress { $0.synced == 200 } != nil)
    // The first few may have been alone, before the others arrived.
    #expect(writing.told.filter { $0.failure == nil }.count <= 3)
    writing.close()
    #expect(try Recovered(at: place.path).commits == (1...200).map { Commit.sample($0) })
  }

  @Test func `a commit that need not be synced at once is within a second or so`() throws {
    let writing = try Writing(StateFolder(place.path))
    writing.append([.sample(1)], synced: false)
    let start = MonotonicInstant.now()
    #expect(writing.progress { $0.written == 1 }?.synced == 0)
    #expect(writing.progress { $0.synced == 1 } != nil)
    #expect(MonotonicInstant.now() - start > .milliseconds(900))
    writing.close()
  }

  @Test func `one commit that must be synced brings the ones before it along`() throws {
    let writing = try Writing(StateFolder(place.path))
    writing.append((1...20).map { Commit.sample($0) }, synced: false)
    writing.append([.sample(21)])
    #expect(writing.progress { $0.synced > 0 }?.synced == 21)
    writing.close()
  }

  @Test(
    arguments: [
      "mv folder elsewhere", "rm -r folder", "mv folder elsewhere; cp -r elsewhere folder", "rm folder/state.sqlite",
      "rm folder/state.sqlite-wal", "cd folder; cp state.sqlite new; mv new state.sqlite",
    ], [true, false])
  func `files that were removed or replaced keep nothing, and nothing else is reported`(
    command: String, isSynced: Bool
  ) throws {
    let writing = try Writing(StateFolder(place("folder")))
    writing.append([.sample(1)])
    #expect(writing.progress { $0.synced == 1 } != nil)
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "cd \(place.path); \(command)"]
    try shell.run()
    shell.waitUntilExit()
    writing.append([.sample(2)], synced: isSynced)
    writing.writer.append(Snapshot.sample(3, bytes: 100))
    let progress = try #require(writing.progress { $0.failure != nil })
    #expect(progress.written == 1 && progress.synced == 1 && progress.snapshot == nil)
    #expect(progress.failure?.kind == .failed)
    #expect(progress.failure?.description.contains("was removed or replaced while in use") == true)
    #expect(writing.close().written == 1)
  }

  @Test func `a writer continues where the one before it ended`() throws {
    let folder = try StateFolder(place.path)
    for numbers: ClosedRange<UInt64> in [1...3, 4...4, 5...9] {
      let writing = try Writing(folder)
      #expect(writing.writer.progress.written == numbers.lowerBound - 1)
      #expect(writing.writer.progress.synced == numbers.lowerBound - 1)
      writing.append(numbers.map { Commit.sample($0) })
      writing.close()
    }
    #expect(try folder.commits() == (1...9).map { Commit.sample($0) })
  }

  @Test func `commits behind a snapshot that stands in place of one are written after all of it`() throws {
    let writing = try Writing(StateFolder(place.path))
    writing.append([.sample(1)])
    writing.writer.append(.sample(2, bytes: 20 << 20))
    writing.append((3...50).map { Commit.sample($0) })
    #expect(writing.progress { $0.synced == 50 } != nil)
    writing.close()
    #expect(writing.told.allSatisfy { $0.written < 2 || $0.snapshot == 2 })
    #expect(try Recovered(at: place.path).commits == (3...50).map { Commit.sample($0) })
  }

  @Test(
    arguments: [
      ([], [51]), ([HistoryBound(age: .milliseconds(15), size: nil)], [30, 40, 50, 51]),
      ([HistoryBound(age: .seconds(1), size: 10)], [51]),
      ([HistoryBound(age: nil, size: 1 << 30)], [10, 20, 30, 40, 50, 51]),
      ([HistoryBound(age: .zero, size: nil), HistoryBound(age: .milliseconds(5), size: nil)], [40, 50, 51]),
    ] as [([HistoryBound], [UInt64])])
  func `the past is kept from snapshot to snapshot, as far as one of the bounds requires`(
    _ history: [HistoryBound], _ kept: [UInt64]
  ) throws {
    let writing = try Writing(StateFolder(place.path))
    // Samples are a millisecond apart.
    for number: UInt64 in 1...50 {
      writing.append([.sample(number)])
      if number.isMultiple(of: 10) { writing.writer.append(.sample(number), keeping: history) }
    }
    writing.writer.append(.sample(51), keeping: history)
    try expect("SELECT max(number) FROM snapshots", becomes: 51)
    try expect("SELECT count(*) FROM snapshots", becomes: Int64(kept.count))
    try expect("SELECT count(*) FROM commits", becomes: kept[0] > 50 ? 0 : Int64(50 - kept[0]))
    writing.close()
    let reader = try FolderReader(place.path)
    #expect(try reader.snapshots().map(\.number) == kept)
    for number in kept { #expect(try reader.snapshot(number) == .sample(number)) }
    if kept[0] < 50 {
      var commits: [Commit] = []
      // A snapshot replaces the last one.
      try reader.forEachCommit(after: kept[0], upTo: 51) { commits.append($0) }
      #expect(commits == (kept[0] + 1...50).map { Commit.sample($0) })
    }
  }

  @Test func `a snapshot that was deleted since a reader listed it is not taken for damage`() throws {
    var writing = try Writing(StateFolder(place.path))
    writing.writer.append(.sample(1))
    writing.close()
    let reader = try FolderReader(place.path)
    #expect(try reader.snapshots().map(\.number) == [1])
    // The folder records its extent only when its log is moved into the database.
    writing = try Writing(StateFolder(place.path))
    writing.append([.sample(2)])
    writing.writer.append(.sample(3))
    try expect("SELECT max(number) FROM snapshots", becomes: 3)
    try expect("SELECT count(*) FROM snapshots", becomes: 1)
    #expect(try reader.snapshot(1) == nil)
    #expect(try reader.hasCommit(1) == false)
    #expect(try reader.snapshot(3) == .sample(3))
    writing.close()
  }

  @Test func `a number that does not follow is a fault of the program`() async {
    await #expect(processExitsWith: .failure) {
      let place = TemporaryFolder(inMemory: true)
      let writer = try StateFolder(place.path).makeWriter {}
      writer.append(.sample(2), synced: true)
    }
  }

  @Test func `a writer that its owner releases has written all`() throws {
    do {
      let writer = try StateFolder(place.path).makeWriter {}
      for number: UInt64 in 1...100 { writer.append(.sample(number), synced: false) }
    }
    #expect(try Recovered(at: place.path).last == 100)
  }

  // MARK: Snapshots

  @Test func `a snapshot replaces what it includes`() throws {
    let writing = try Writing(StateFolder(place.path))
    writing.writer.append(Snapshot.sample(0))
    writing.append((1...3000).map { Commit.sample($0) }, synced: false)
    writing.writer.append(Snapshot.sample(1000, bytes: 2_000_000))
    writing.writer.append(Snapshot.sample(2900, bytes: 700_000))
    #expect(writing.progress { $0.snapshot == 2900 } != nil)
    try expect("SELECT count(*) FROM commits", becomes: 100)
    try expect("SELECT count(*) FROM snapshots", becomes: 1)
    try expect("SELECT sum(length(state)) FROM parts", becomes: 700_000)
    writing.close()
    #expect(
      try Recovered(at: place.path)
        == Recovered(snapshot: .sample(2900, bytes: 700_000), commits: (2901...3000).map { Commit.sample($0) }))
  }

  @Test func `a second snapshot of the same commit counts instead of the first`() throws {
    let writing = try Writing(StateFolder(place.path))
    writing.append([.sample(1), .sample(2)])
    let second = Snapshot(number: 2, time: 9, hash: Commit.sample(2).hash, configuration: [9], state: [9, 9])
    writing.writer.append(Snapshot.sample(2))
    writing.writer.append(second)
    writing.close()
    #expect(try Recovered(at: place.path) == Recovered(snapshot: second, commits: []))
  }

  @Test func `a snapshot from elsewhere may begin a journal`() throws {
    let writing = try Writing(StateFolder(place.path))
    writing.writer.append(Snapshot.sample(500))
    writing.append([.sample(501)])
    writing.close()
    #expect(try Recovered(at: place.path) == Recovered(snapshot: .sample(500), commits: [.sample(501)]))
  }

  @Test func `commits do not wait for a large snapshot`() throws {
    let writing = try Writing(StateFolder(place.path))
    writing.writer.append(Snapshot.sample(0, bytes: 16 << 20))
    for number: UInt64 in 1...8 {
      writing.append([.sample(number)])
      #expect(writing.progress { $0.synced == number } != nil)
    }
    // All of them were synced while the snapshot, 32 parts, was being written.
    #expect(writing.writer.progress.snapshot == nil)
    writing.close()
    #expect(try Recovered(at: place.path).snapshot == .sample(0, bytes: 16 << 20))
  }

  @Test func `the files stay as small as what is between two snapshots`() throws {
    let writing = try Writing(StateFolder(place.path))
    var largest = 0
    for round: UInt64 in 1...45 {
      writing.append((1...100).map { Commit.sample((round - 1) * 100 + $0, bytes: 5000) }, synced: false)
      writing.writer.append(Snapshot.sample(round * 100, bytes: 500_000))
      #expect(writing.progress { $0.snapshot == round * 100 } != nil)
      largest = max(largest, Files.size(database) + Files.size("\(database)-wal"))
    }
    // There is no reader, which would keep the log from restarting. A round is 1 MB, at most three are pending, and the
    // log has 4 MB, and more beside other work; 45 MB were written.
    #expect(largest < 15_000_000)
    try expect("SELECT count(*) FROM commits", becomes: 0)
    writing.close()
  }

  @Test func `a file that was large gives its room back to the system`() throws {
    let writing = try Writing(StateFolder(place.path))
    writing.append((1...30).map { Commit.sample($0, bytes: 1_000_000) }, synced: false)
    #expect(writing.progress { $0.written == 30 } != nil)
    writing.writer.append(Snapshot.sample(30))
    try expect("PRAGMA page_count", becomes: ..<4200)
    writing.close()
    #expect(Files.size(database) < 18_000_000)
    #expect(try Recovered(at: place.path) == Recovered(snapshot: .sample(30), commits: []))
  }

  // MARK: Other users of the database

  @Test func `another reader does not stop the writer, and sees one moment`() throws {
    let writing = try Writing(StateFolder(place.path))
    writing.append([.sample(1)])
    #expect(writing.progress { $0.synced == 1 } != nil)
    let reader = try Database(database, .read)
    try reader.execute("BEGIN")
    #expect(try reader.number("SELECT count(*) FROM commits") == 1)
    for round: UInt64 in 0..<10 {
      writing.append((2...201).map { Commit.sample(round * 200 + $0, bytes: 2000) })
      #expect(writing.progress { $0.synced == round * 200 + 201 } != nil)
    }
    writing.writer.append(Snapshot.sample(2001))
    #expect(writing.progress { $0.snapshot == 2001 }?.failure == nil)
    #expect(try reader.number("SELECT count(*) FROM commits") == 1)
    #expect(Files.size("\(database)-wal") > 4_000_000)
    // When it commits, the log that grew meanwhile is moved, and truncated with the next commits.
    try reader.execute("COMMIT")
    var number: UInt64 = 2002
    while Files.size("\(database)-wal") > 5_000_000 {
      writing.append([.sample(number)])
      #expect(writing.progress { $0.synced == number } != nil)
      number += 1
    }
    writing.close()
    #expect(try Recovered(at: place.path).last == number - 1)
  }

  @Test func `another writer blocks the writer, which reports that and continues afterwards`() throws {
    let writing = try Writing(StateFolder(place.path))
    let other = try Database(database, .write)
    try other.execute("BEGIN IMMEDIATE")
    writing.append([.sample(1)])
    let failure = writing.progress { $0.failure != nil }?.failure
    #expect(failure?.kind == .busy)
    #expect(failure?.description.contains("is locked by another program") == true)
    writing.append([.sample(2)])
    try other.execute("COMMIT")
    #expect(writing.progress { $0.synced == 2 }?.failure == nil)
    writing.close()
    #expect(try Recovered(at: place.path).last == 2)
  }

  // MARK: Full disks

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root"))
  func `a full disk keeps nothing from being written once there is room`() throws {
    let disk = try SmallDisk(at: place("disk"), bytes: 2 << 20)
    let path = "\(disk.path)/state"
    let writing = try Writing(StateFolder(path))
    let ballast = "\(disk.path)/ballast"
    try Files.write([UInt8](repeating: 1, count: 1 << 20), to: ballast)
    var number: UInt64 = 0
    while writing.writer.progress.failure == nil {
      number += 1
      writing.append([.sample(number, bytes: 20_000)])
      let reached = number
      #expect(writing.progress { $0.synced == reached || $0.failure != nil } != nil)
    }
    let failure = writing.writer.progress.failure
    #expect(failure?.kind == .full)
    #expect(failure?.description.contains("\(path)/state.sqlite cannot grow") == true)
    let reached = writing.writer.progress.synced
    #expect(reached == number - 1)

    // More arrives meanwhile; retrying without space changes nothing.
    writing.append((1...3).map { Commit.sample(number + $0, bytes: 20_000) })
    let attempts = writing.told.count
    writing.writer.retry()
    #expect(writing.progress(after: attempts + 1) { _ in true } != nil)
    #expect(writing.writer.progress.failure?.kind == .full)
    #expect(writing.writer.progress.written == reached)

    #expect(unlink(ballast) == 0)
    writing.writer.retry()
    #expect(writing.progress { $0.failure == nil }?.synced == number + 3)
    writing.close()
    #expect(try Recovered(at: path).commits == (1...number + 3).map { Commit.sample($0, bytes: 20_000) })
  }

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root"))
  func `a snapshot that finds the disk full resumes where it was`() throws {
    let disk = try SmallDisk(at: place("disk"), bytes: 8 << 20)
    let path = "\(disk.path)/state"
    let writing = try Writing(StateFolder(path))
    let ballast = "\(disk.path)/ballast"
    try Files.write([UInt8](repeating: 1, count: 6 << 20), to: ballast)
    writing.append([.sample(1)])
    writing.writer.append(Snapshot.sample(1, bytes: 2 << 20))
    #expect(writing.progress { $0.failure != nil }?.failure?.kind == .full)
    #expect(writing.writer.progress.snapshot == nil)
    // A retry reports nothing in between, which would admit senders.
    let count = writing.told.count
    writing.writer.retry()
    #expect(writing.progress(after: count + 1) { _ in true } != nil)
    #expect(writing.told[count...].allSatisfy { $0.failure?.kind == .full })
    #expect(unlink(ballast) == 0)
    writing.writer.retry()
    #expect(writing.progress { $0.snapshot == 1 }?.failure == nil)
    writing.close()
    #expect(try Recovered(at: path) == Recovered(snapshot: .sample(1, bytes: 2 << 20), commits: []))
  }

  @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs root"))
  func `a folder on a full disk is refused as such, and can be opened when there is room`() throws {
    let disk = try SmallDisk(at: place("disk"), bytes: 1 << 20)
    let ballast = "\(disk.path)/ballast"
    try fill(ballast)
    #expect(#expect(throws: StorageError.self) { try StateFolder("\(disk.path)/state") }?.kind == .full)
    #expect(unlink(ballast) == 0)
    do {
      let writing = try Writing(StateFolder("\(disk.path)/state"))
      writing.append([.sample(1)])
      writing.close()
    }
    try fill(ballast)
    #expect(#expect(throws: StorageError.self) { try StateFolder("\(disk.path)/state") }?.kind == .full)
    #expect(unlink(ballast) == 0)
    #expect(try Recovered(at: "\(disk.path)/state").last == 1)
  }

  /// Fills all available space.
  private func fill(_ path: String) throws {
    let file = OwnedDescriptor(owning: open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    let page = [UInt8](repeating: 1, count: 4096)
    #expect(throws: Errno.self) { while true { try file.transfer.writeAll(page) } }
  }

  /// Waits until a number in the database has a value.
  private func expect(_ sql: String, becomes value: Int64) throws { try expect(sql, becomes: value..<value + 1) }

  private func expect(_ sql: String, becomes values: some RangeExpression<Int64>) throws {
    let reader = try Database(database, .read)
    let deadline = MonotonicInstant.now() + .seconds(600)
    while true {
      let number = try reader.number(sql) ?? 0
      if values.contains(number) { return }
      try #require(MonotonicInstant.now() < deadline, "\(sql) is \(number)")
      usleep(2000)
    }
  }
}
