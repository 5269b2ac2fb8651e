import Glibc
import Linux
import TestSupport
import Testing

@testable import StateLog

@Suite struct `State folders` {
  private let place = TemporaryFolder(inMemory: true)
  private var path: String { place("state") }

  @Test(arguments: [0, 1, 511 << 10, 512 << 10, 3_000_000])
  func `a folder gives back what was written into it`(snapshotBytes: Int) throws {
    let snapshot = Snapshot.sample(40, bytes: snapshotBytes)
    let commits = (1...100).map { Commit.sample($0) }
    let epoch: String
    do {
      let folder = try StateFolder(path, program: "signalbox 7")
      epoch = folder.epoch
      #expect(try Recovered(folder) == Recovered(commits: []))
      let writing = try Writing(folder)
      for commit in commits.prefix(50) { writing.writer.append(commit, synced: commit.number % 3 == 0) }
      writing.writer.append(snapshot)
      writing.append(commits.dropFirst(50), synced: false)
      let progress = writing.close()
      #expect(progress.written == 100 && progress.synced == 100 && progress.snapshot == 40)
      #expect(progress.failure == nil && progress.lastSyncDuration != nil)
      #expect(try Recovered(folder) == Recovered(snapshot: snapshot, commits: Array(commits.dropFirst(40))))
    }
    #expect(Files.size("\(path)/state.sqlite-wal") == 0)
    let folder = try StateFolder(path)
    #expect(folder.epoch == epoch && epoch.count == 16)
    #expect(try Recovered(folder) == Recovered(snapshot: snapshot, commits: Array(commits.dropFirst(40))))
    #expect(try folder.commits(after: 97).map(\.number) == [98, 99, 100])
    #expect(try folder.commits(after: 100) == [])
  }

  @Test func `values at the ends of their ranges come back`() throws {
    let commits = [
      Commit(number: 1, time: .min, count: 0, entries: [], hash: 0),
      Commit(number: 2, time: .max, count: .max, entries: [0, 255], hash: .max),
    ]
    let snapshot = Snapshot(number: 0, time: .min, hash: .max, configuration: [], state: [])
    do {
      let writing = try Writing(StateFolder(path))
      writing.writer.append(snapshot)
      writing.append(commits)
      #expect(writing.close().failure == nil)
    }
    #expect(try Recovered(at: path) == Recovered(snapshot: snapshot, commits: commits))
  }

  @Test func `each folder has an epoch of its own`() throws {
    #expect(try StateFolder(place("one")).epoch != StateFolder(place("other")).epoch)
  }

  @Test(arguments: [nil, 0o755] as [mode_t?])
  func `no other user may read what is in a folder, whoever made it`(mode: mode_t?) throws {
    if let mode { #expect(mkdir(path, mode) == 0) }
    let folder = try StateFolder(path)
    let writing = try Writing(folder)
    writing.append([.sample(1)])
    #expect(writing.progress { $0.written == 1 } != nil)
    #expect(Files.mode(path) == mode ?? 0o700)
    for name in ["lock", "state.sqlite", "state.sqlite-wal", "state.sqlite-shm", "state.sqlite-mark"] {
      #expect(Files.mode("\(path)/\(name)") == 0o600, "\(name)")
    }
    writing.close()
  }

  // MARK: Owners

  @Test func `a folder belongs to one at a time, and the error of the second names its owner`() throws {
    let first = try StateFolder(path)
    let error = #expect(throws: StorageError.self) { try StateFolder(path) }
    #expect(error?.kind == .locked)
    #expect(error?.description.hasPrefix("\(path) is locked by process \(CurrentProcess.identifier)") == true)
    withExtendedLifetime(first) {}
  }

  @Test func `a folder is free again only when its writer has ended`() throws {
    let writing = try Writing(StateFolder(path))
    writing.append([.sample(1)])
    #expect(throws: StorageError.self) { try StateFolder(path) }
    writing.close()
    #expect(try Recovered(at: path).last == 1)
  }

  // MARK: Contents of a path

  @Test func `a database of a newer version is refused, and left as it is`() throws {
    do { _ = try StateFolder(path, program: "signalbox 9.9") }
    try sql("UPDATE meta SET version = 3; ALTER TABLE meta RENAME COLUMN checksum TO proof")
    let before = Files.read("\(path)/state.sqlite")
    let error = #expect(throws: StorageError.self) { try StateFolder(path) }
    #expect(error?.kind == .newerVersion)
    let words = "was written by a newer signalbox (version 3); this one supports up to version 2"
    #expect(error?.description.contains(words) == true)
    #expect(Files.read("\(path)/state.sqlite") == before)
  }

  @Test(arguments: [false, true])
  func `a folder of the first version is read as it is, and has the present one once it is written to`(
    snapshot: Bool
  ) throws {
    do {
      let writing = try Writing(StateFolder(path))
      writing.append([.sample(1)])
      writing.close()
    }
    try age()
    #expect(try Recovered(at: path).last == 1)
    #expect(try FolderReader(path).lastNumber() == 1)
    #expect(try version() == 1)
    do { _ = try Writing(StateFolder(path)).close() }
    #expect(try version() == 1)
    let writing = try Writing(StateFolder(path))
    if snapshot { writing.writer.append(Snapshot.sample(1)) } else { writing.append([.sample(2)]) }
    #expect(writing.close().failure == nil)
    #expect(try version() == Meta.version)
    #expect(try FolderReader(path).lastNumber() == (snapshot ? 1 : 2))
  }

  /// Downgrades the folder to the first version, whose other columns are unchanged.
  private func age() throws {
    let folder = FolderPath(path: path)
    let database = try Database(folder.database, .write)
    var meta = try Meta(of: database, in: folder)
    meta.version = 1
    try meta.update(in: database)
  }

  private func version() throws -> Int64 {
    try Meta(of: Contents(FolderPath(path: path), .read).database, in: FolderPath(path: path)).version
  }

  @Test(arguments: [[], Array("no database".utf8), [UInt8](repeating: 7, count: 5000)] as [[UInt8]])
  func `a file that is no database is damage, and left as it is`(content: [UInt8]) throws {
    #expect(mkdir(path, 0o700) == 0)
    try Files.write(content, to: "\(path)/state.sqlite")
    #expect(damage() == .damaged)
    #expect(Files.read("\(path)/state.sqlite") == content)
  }

  @Test func `a database of another program is damage`() throws {
    #expect(mkdir(path, 0o700) == 0)
    try sql("CREATE TABLE t (a)", .create)
    #expect(damage() == .damaged)
  }

  @Test func `a log without its database is damage`() throws {
    let other = place("other")
    do {
      let writing = try Writing(StateFolder(path))
      writing.append([.sample(1)])
      #expect(writing.progress { $0.written == 1 } != nil)
      try Files.copy(path, to: other)
      writing.close()
    }
    #expect(unlink("\(other)/state.sqlite") == 0)
    let error = #expect(throws: StorageError.self) { try StateFolder(other) }
    #expect(error?.kind == .damaged)
    #expect(error?.description.contains("is missing, but its write-ahead log exists") == true)
    #expect(Files.size("\(other)/state.sqlite-wal") > 0)
  }

  @Test func `a folder whose making was interrupted is made again`() throws {
    #expect(mkdir(path, 0o700) == 0)
    try Files.write([1, 2, 3], to: "\(path)/state.sqlite.new")
    try Files.write([4, 5, 6], to: "\(path)/state.sqlite.new-journal")
    #expect(try Recovered(at: path) == Recovered(commits: []))
    #expect(Files.read("\(path)/state.sqlite.new") == nil)
  }

  @Test func `a path where no folder can be is reported with the reason`() throws {
    try Files.write([], to: place("file"))
    for (path, reason) in [
      (place("file"), "is not a directory"), (place("missing/state"), "No such file or directory"),
      (place("file/state"), "Not a directory"),
    ] {
      let error = #expect(throws: StorageError.self) { try StateFolder(path) }
      #expect(error?.kind == .failed)
      #expect(error?.description.contains(reason) == true && error?.description.contains(path) == true)
    }
  }

  private func damage() -> StorageError.Kind? {
    #expect(throws: StorageError.self) { try StateFolder(path) }?.kind
  }

  private func sql(_ text: String, _ access: Database.Access = .write) throws {
    try Database("\(path)/state.sqlite", access).execute(text)
  }
}
