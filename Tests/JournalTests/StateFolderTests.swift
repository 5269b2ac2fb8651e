import Journal
import Linux
import TestSupport
import Testing

@Suite struct StateFolderTests {
  @Test func `a folder gives back what was written into it`() throws {
    let place = TemporaryFolder()
    let commits = (1...100).map { Commit.sample($0) }
    let snapshot = Snapshot(number: 40, time: 7, hash: .max, configuration: [1, 2], state: [])
    let epoch: String
    do {
      let folder = try StateFolder(place("state"))
      epoch = folder.epoch
      #expect(try folder.newestSnapshot() == nil)
      #expect(try folder.commits() == [])
      let writer = try folder.makeWriter {}
      for commit in commits.prefix(50) { writer.append(commit, synced: commit.number % 3 == 0) }
      writer.append(snapshot)
      for commit in commits.dropFirst(50) { writer.append(commit, synced: false) }
      writer.close()
      #expect(writer.progress.written == 100)
      #expect(writer.progress.synced == 100)
      #expect(writer.progress.snapshot == 40)
      #expect(writer.progress.failure == nil)
      #expect(writer.progress.lastSyncDuration != nil)
      #expect(try folder.newestSnapshot() == snapshot)
    }
    let folder = try StateFolder(place("state"))
    #expect(folder.epoch == epoch)
    #expect(try folder.newestSnapshot() == snapshot)
    #expect(try folder.commits(after: 40) == Array(commits.dropFirst(40)))
  }

  @Test func `a folder belongs to one at a time, and tells the second who has it`() throws {
    let place = TemporaryFolder()
    let first = try StateFolder(place("state"))
    let error = #expect(throws: StorageError.self) { try StateFolder(place("state")) }
    #expect(error?.kind == .locked)
    #expect(error?.description.contains("\(place("state")) belongs to process \(CurrentProcess.identifier)") == true)
    _ = first
  }
}

extension Commit {
  static func sample(_ number: Int, bytes: Int = 20) -> Commit {
    Commit(
      number: UInt64(number), time: 1_700_000_000_000_000 + Int64(number), count: number % 7,
      entries: (0..<bytes * (number % 5)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ number) },
      hash: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
  }
}

extension StateFolder {
  func commits(after number: UInt64 = 0) throws(StorageError) -> [Commit] {
    var commits: [Commit] = []
    try forEachCommit(after: number) { commits.append($0) }
    return commits
  }
}
