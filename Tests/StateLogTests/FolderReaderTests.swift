import Glibc
import Linux
import TestSupport
import Testing

@testable import StateLog

@Suite struct `State readers` {
  private let place = TemporaryFolder(inMemory: true)

  @Test func `a reader sees what a running daemon has written, and how much that is`() throws {
    let folder = try StateFolder(place.path, program: "signalbox 7")
    let writing = try Writing(folder)
    writing.append((1...50).map { Commit.sample($0) })
    writing.writer.append(Snapshot.sample(20, bytes: 1_200_000))
    writing.append((51...60).map { Commit.sample($0) })
    #expect(writing.progress { $0.snapshot == 20 && $0.synced == 60 } != nil)
    let reader = try FolderReader(place.path)
    #expect(reader.epoch == folder.epoch)
    #expect(try reader.newestSnapshot() == .sample(20, bytes: 1_200_000))
    #expect(try reader.commits(after: 20) == (21...60).map { Commit.sample($0) })
    writing.append([.sample(61)])
    #expect(writing.progress { $0.synced == 61 } != nil)
    #expect(try reader.commits(after: 60) == [.sample(61)])

    let statistics = try reader.statistics()
    #expect(statistics.program == "signalbox 7")
    #expect(abs(statistics.created - WallTime.now().microseconds) < 600_000_000)
    #expect(statistics.lastCommit == .init(number: 61, time: Commit.sample(61).time))
    #expect(statistics.newestSnapshot == .init(number: 20, time: Snapshot.sample(20).time))
    #expect(statistics.snapshotBytes == 1_200_000)
    let first = try #require(statistics.firstCommit?.number)
    #expect(first <= 21)
    #expect(statistics.commits == Int(61 - first + 1))
    #expect(statistics.entries == (first...61).reduce(0) { $0 + Commit.sample($1).count })
    #expect(statistics.bytes > 1_200_000)
    #expect(statistics.owner == CurrentProcess.identifier)
    writing.close()
  }

  @Test func `a reader leaves a folder that no process has open as it was, a log included`() throws {
    let (running, killed) = (place("running"), place("killed"))
    let writing = try Writing(StateFolder(running))
    writing.append((1...5).map { Commit.sample($0) })
    #expect(writing.progress { $0.synced == 5 } != nil)
    try Files.copy(running, to: killed)
    writing.close()
    let before = (Files.read("\(killed)/state.sqlite"), Files.read("\(killed)/state.sqlite-wal"))
    do {
      let reader = try FolderReader(killed)
      #expect(try reader.commits().map(\.number) == [1, 2, 3, 4, 5])
      #expect(try reader.statistics().owner == nil)
    }
    #expect(Files.read("\(killed)/state.sqlite") == before.0)
    #expect(Files.read("\(killed)/state.sqlite-wal") == before.1)
    #expect(try Recovered(at: killed).last == 5)
  }

  @Test func `an empty folder has statistics too`() throws {
    withExtendedLifetime(try StateFolder(place.path)) {}
    let statistics = try FolderReader(place.path).statistics()
    #expect(statistics.commits == 0 && statistics.entries == 0 && statistics.snapshotBytes == 0)
    #expect(statistics.firstCommit == nil && statistics.lastCommit == nil && statistics.newestSnapshot == nil)
  }

  @Test func `a commit that is deleted meanwhile is not there, which is no damage`() throws {
    let writing = try Writing(StateFolder(place.path))
    writing.append((1...10).map { Commit.sample($0) })
    writing.writer.append(Snapshot.sample(5))
    #expect(writing.progress { $0.snapshot == 5 } != nil)
    let reader = try FolderReader(place.path)
    #expect(try reader.commits(after: 5).map(\.number) == Array(6...10))
    #expect(try [6, 10, 11].map(reader.hasCommit) == [true, true, false])
    writing.writer.append(Snapshot.sample(10))
    // The writer silently deletes the files that it replaces once it is on disk.
    let deadline = ContinuousClock.now + .seconds(60)
    while try reader.hasCommit(6), ContinuousClock.now < deadline { sched_yield() }
    #expect(try !reader.hasCommit(6))
    writing.close()
  }

  @Test func `several things are read as they are at one moment`() throws {
    let writing = try Writing(StateFolder(place.path))
    writing.append((1...10).map { Commit.sample($0) })
    writing.writer.append(Snapshot.sample(5))
    #expect(writing.progress { $0.snapshot == 5 } != nil)
    let reader = try FolderReader(place.path)
    try reader.atOneMoment { () throws(StorageError) in
      #expect(try reader.newestSnapshot()?.number == 5)
      writing.append((11...20).map { Commit.sample($0) })
      writing.writer.append(Snapshot.sample(20))
      writing.close()
      #expect(try reader.commits(after: 5).map(\.number) == Array(6...10))
    }
    #expect(try reader.newestSnapshot()?.number == 20)
  }

  @Test(arguments: ["missing", "empty", "file"]) func `a path without a database holds no state`(name: String) throws {
    #expect(mkdir(place("empty"), 0o700) == 0)
    try Files.write([], to: place("file"))
    let error = #expect(throws: StorageError.self) { try FolderReader(place(name)) }
    #expect(error?.kind == .missing)
    #expect(error?.description.hasPrefix("\(place(name)) holds no state of durable graphs") == true)
    #expect(Files.mode(place("missing")) == nil)
  }
}
