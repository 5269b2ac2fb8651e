import Glibc
import Linux
import TestSupport
import Testing

@testable import StateLog

/// Copies of a folder, which may diverge from it, and so begin an epoch of their own.
@Suite struct `Copied folders` {
  private let place = TemporaryFolder()

  /// Opens a folder, writes one more commit, and closes it.
  @discardableResult
  private func run(_ name: String) throws -> (epoch: String, isCopy: Bool) {
    let folder = try StateFolder(place(name))
    let next = try Recovered(folder).last + 1
    let writing = try Writing(folder)
    writing.append([.sample(next)])
    #expect(writing.close().failure == nil)
    #expect(try FolderReader(place(name)).epoch == folder.epoch)
    return (folder.epoch, folder.isCopy)
  }

  private func shell(_ line: String) {
    #expect(system("cd '\(place.path)' && \(line)") == 0, "\(line)")
  }

  @Test(arguments: [
    "true", "mv state moved && mv moved state", "chmod -R go-rwx state && chown -R $(id -u) state && touch state/*",
    "cp -a state copy && rm -r copy", "cp -a state copy && mv state old && rm -r copy && mv old state",
    "rm -f state/state.sqlite-shm", "ln state/state.sqlite other && rm other",
  ])
  func `a folder that stays the same files keeps its epoch`(line: String) throws {
    let first = try run("state")
    let second = try run("state")
    #expect(first.epoch == second.epoch && !second.isCopy)
    shell(line)
    let third = try run("state")
    #expect(third.epoch == first.epoch && !third.isCopy)
    #expect(try Recovered(at: place("state")).last == 3)
  }

  @Test(arguments: [
    "rm -r state && cp -a backup state", "rm -r state && cp -r backup state", "rm -r state && mv backup state",
    "tar cf b.tar -C backup . && rm -r state/* && tar xf b.tar -C state", "cp -a backup/. state/",
    "cp -r backup/. state/",
    "for f in backup/*; do cat $f > state/${f##*/}; done", "rm state/* && cp -al backup/. state/",
  ])
  func `a folder that was put back from a copy begins an epoch, once`(line: String) throws {
    let first = try run("state")
    shell("cp -a state backup")
    // Other values follow than in the abandoned run.
    #expect(try run("state").epoch == first.epoch)
    shell(line)
    let restored = try run("state")
    #expect(restored.isCopy && restored.epoch != first.epoch)
    #expect(try Recovered(at: place("state")).last == 2)
    let next = try run("state")
    #expect(!next.isCopy && next.epoch == restored.epoch)
  }

  @Test func `the folder that was copied continues in its epoch beside the copy`() throws {
    let first = try run("state")
    shell("cp -a state copy")
    let copy = try run("copy")
    #expect(copy.isCopy && copy.epoch != first.epoch)
    #expect(try run("state").epoch == first.epoch)
    #expect(try run("copy").epoch == copy.epoch)
  }

  @Test func `a database that is put back alone is reported as damage`() throws {
    try run("state")
    shell("cp state/state.sqlite backup")
    try run("state")
    shell("cat backup > state/state.sqlite")
    let error = #expect(throws: StorageError.self) { try Recovered(at: place("state")) }
    #expect(error?.kind == .damaged && error?.description.contains("commit 2 is missing") == true)
  }

  @Test func `a reader of a copy leaves it as it is`() throws {
    let first = try run("state")
    shell("cp -a state copy")
    let reader = try FolderReader(place("copy"))
    #expect(reader.isCopy && reader.epoch == first.epoch)
    #expect(try reader.commits().count == 1)
    #expect(try StateFolder(place("copy")).isCopy)
    #expect(try !FolderReader(place("state")).isCopy)
  }
}
