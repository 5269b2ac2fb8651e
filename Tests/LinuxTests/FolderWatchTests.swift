import Base
import Glibc
import TestSupport
import Testing

@testable import Linux

/// A watched folder with its poller, and the reports so far.
private final class WatchedTree {
  let poller: Poller
  let watcher: FolderWatcher
  let watch: FolderWatch
  private var told: [String] = []
  private(set) var known: [String: FolderWatch.File] = [:]

  init(
    _ root: String, _ pattern: String = "**", limit: Int = 100, from known: [FolderWatch.File]? = nil,
    with other: WatchedTree? = nil
  ) throws {
    poller = try other?.poller ?? Poller()
    watcher = try other?.watcher ?? FolderWatcher(poller)
    watch = FolderWatch(root, PathPattern(pattern), limit: limit, from: known, watcher)
    for file in known ?? [] { self.known[file.path] = file }
  }

  /// Returns the reports of everything that has happened, those of files being written included.
  func settle(after time: Duration = .seconds(1)) throws -> [String] {
    while try poller.serve(timeout: .milliseconds(20)) > 0 {}
    while watch.runSlice(at: .now() + time, receive) {}
    defer { told = [] }
    return told
  }

  private func receive(_ event: FolderWatch.Event) {
    switch event {
    case .found(let files):
      told.append("found " + files.map(\.path).sorted().joined(separator: " "))
      for file in files { known[file.path] = file }
    case .looked: told.append("looked")
    case .created(let file):
      told.append("created \(file.path)")
      known[file.path] = file
    case .changed(let file):
      told.append("changed \(file.path)")
      known[file.path] = file
    case .removed(let path):
      told.append("removed \(path)")
      known[path] = nil
    case .overflow: told.append("overflow")
    case .full: told.append("full")
    case .failed(let message): told.append("failed \(message)")
    }
  }
}

/// Returns a text's bytes: canonically equivalent texts are equal.
private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// A file that is open for writing.
private final class OwnedDescriptorBox {
  private let descriptor: OwnedDescriptor

  init(_ path: String) { descriptor = OwnedDescriptor(owning: open(path, O_WRONLY | O_APPEND | O_CLOEXEC)) }

  func append(_ text: String) throws { try descriptor.transfer.writeAll(text) }
}

@Suite struct `A watched folder` {
  private let folder = TemporaryFolder()

  private func write(_ text: String, to name: String) throws {
    let file = OwnedDescriptor(owning: open(folder(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    try file.transfer.writeAll(text)
  }

  @Test func `a pattern matches paths, and determines which folders lead to matches`() {
    let pattern = PathPattern("a/**/*.c")
    func place(_ path: String) -> PathPattern.Place {
      path.split(separator: "/").reduce(pattern.start) { pattern.step(from: $0, to: String($1)) }
    }
    for path in ["a/x.c", "a/b/x.c", "a/b/c/d/x.c"] { #expect(pattern.isMatch(place(path)), "\(path)") }
    for path in ["x.c", "a/x.h", "b/x.c", "a/.b/x.c", "a/.x.c", "a"] {
      #expect(!pattern.isMatch(place(path)), "\(path)")
    }
    #expect(pattern.isOnWay(place("a")) && pattern.isOnWay(place("a/b/c")))
    #expect(!pattern.isOnWay(place("b")) && !pattern.isOnWay(place("a/.b")))
    let flat = PathPattern("*")
    #expect(flat.isMatch(flat.step(from: flat.start, to: "x")) && !flat.isOnWay(flat.step(from: flat.start, to: "x")))
  }

  @Test func `files that are created, written, renamed and removed are reported, folders among them followed`() throws {
    try write("1", to: "old")
    let tree = try WatchedTree(folder.path)
    #expect(try tree.settle() == ["found old", "looked"])
    try write("2", to: "new")
    #expect(try tree.settle() == ["created new"])
    try write("3", to: "new")
    #expect(try tree.settle() == ["changed new"])
    rename(folder("new"), folder("other"))
    #expect(try tree.settle() == ["removed new", "created other"])
    mkdir(folder("d"), 0o700)
    mkdir(folder("d/e"), 0o700)
    try write("4", to: "d/e/f")
    #expect(try tree.settle() + tree.settle() == ["created d/e/f"])
    try write("5", to: "d/e/f")
    #expect(try tree.settle() == ["changed d/e/f"])
    rename(folder("d"), folder("c"))
    #expect(try tree.settle() + tree.settle() == ["removed d/e/f", "created c/e/f"])
    rename(folder("old"), folder("c/e/f"))
    #expect(try tree.settle().sorted() == ["changed c/e/f", "removed old"])
    unlink(folder("c/e/f"))
    rmdir(folder("c/e"))
    #expect(try tree.settle() == ["removed c/e/f"])
    chmod(folder("other"), 0o640)
    #expect(try tree.settle() == [])
  }

  @Test func `names that differ in their bytes alone are those of different files and folders`() throws {
    let names = ["\u{e9}", "e\u{301}"]
    try write("1", to: names[0])
    let tree = try WatchedTree(folder.path)
    #expect(try tree.settle().map(bytes) == ["found \(names[0])", "looked"].map(bytes))
    try write("2", to: names[1])
    #expect(try tree.settle().map(bytes) == [bytes("created \(names[1])")])
    try write("3", to: names[0])
    #expect(try tree.settle().map(bytes) == [bytes("changed \(names[0])")])
    // Both are written at once.
    let files = names.map { OwnedDescriptorBox(folder($0)) }
    for file in files { try file.append("4") }
    #expect(try Set(tree.settle().map(bytes)) == Set(names.map { bytes("changed \($0)") }))
    for name in names {
      mkdir(folder("d\(name)"), 0o700)
      try write("5", to: "d\(name)/f")
    }
    #expect(
      try Set((tree.settle() + tree.settle()).map(bytes)) == Set(names.map { bytes("created d\($0)/f") }))
    let known = names.map { name in
      var status = stat()
      stat(folder(name), &status)
      return FolderWatch.File(path: name, stamp: FileStamp(status))
    }
    let next = try WatchedTree(folder.path, "*", from: known)
    #expect(try next.settle() == [])
    unlink(folder(names[0]))
    #expect(try next.settle().map(bytes) == [bytes("removed \(names[0])")])
  }

  @Test func `a name that is not UTF-8 is reported, once for a folder, before watching began or after`() throws {
    func touch(_ path: String) {
      let name = Array(path.utf8CString.dropLast()) + [CChar(bitPattern: 0xff), 0]
      close(open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    }
    func report(_ path: String) -> String { "failed \(path): a name that is not UTF-8, which is not watched" }
    mkdir(folder("d"), 0o700)
    touch(folder("d/old"))
    let tree = try WatchedTree(folder.path)
    #expect(try tree.settle() == [report(folder("d")), "looked"])
    touch(folder("new"))
    #expect(try tree.settle() == [report(folder.path)])
    touch(folder("other"))
    touch(folder("d/other"))
    #expect(try tree.settle() == [])
  }

  @Test func `a file that is open counts as written once nothing was written for 100 ms`() throws {
    let tree = try WatchedTree(folder.path)
    #expect(try tree.settle() == ["looked"])
    let file = OwnedDescriptor(owning: open(folder("f"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    try file.transfer.writeAll("1")
    #expect(try tree.settle(after: .zero) == [])
    let deadline = try #require(tree.watch.deadline)
    #expect(deadline > .now() && deadline < .now() + .milliseconds(100))
    #expect(try tree.settle() == ["created f"])
    #expect(tree.watch.deadline == nil)
    try file.transfer.writeAll("2")
    #expect(try tree.settle() == ["changed f"])
    _ = consume file
    #expect(try tree.settle() == [])
  }

  @Test func `differences to what was known are reported, in order of the folders`() throws {
    for name in ["a", "b", "c"] { try write(name, to: name) }
    mkdir(folder("d"), 0o700)
    try write("1", to: "d/x")
    let known = try { () throws -> [FolderWatch.File] in
      let tree = try WatchedTree(folder.path)
      _ = try tree.settle()
      return tree.known.values.sorted { $0.path < $1.path }
    }()
    #expect(known.map(\.path) == ["a", "b", "c", "d/x"])
    try write("longer", to: "b")
    unlink(folder("c"))
    unlink(folder("d/x"))
    rmdir(folder("d"))
    try write("1", to: "e")
    let tree = try WatchedTree(folder.path, from: known)
    #expect(try (tree.settle() + tree.settle()).sorted() == ["changed b", "created e", "removed c", "removed d/x"])
    #expect(try tree.settle() == [])
  }

  @Test func `a folder may come later, be removed and made again`() throws {
    let tree = try WatchedTree(folder("in/deep"), "*")
    #expect(try tree.settle() == ["looked"])
    mkdir(folder("in"), 0o700)
    mkdir(folder("in/deep"), 0o700)
    tree.watch.noteRoot()
    #expect(try tree.settle() == [])
    try write("1", to: "in/deep/f")
    #expect(try tree.settle() == ["created f"])
    unlink(folder("in/deep/f"))
    rmdir(folder("in/deep"))
    #expect(try tree.settle() == ["removed f"])
    mkdir(folder("in/deep"), 0o700)
    try write("1", to: "in/deep/g")
    tree.watch.noteRoot()
    #expect(try tree.settle() + tree.settle() == ["created g"])
  }

  @Test func `two watches share a folder, and one continues when the other is cancelled`() throws {
    mkdir(folder("d"), 0o700)
    let tree = try WatchedTree(folder.path, "**/*.a")
    let other = try WatchedTree(folder("d"), "*", with: tree)
    _ = try (tree.settle(), other.settle())
    try write("1", to: "d/x.a")
    try write("1", to: "d/x.b")
    #expect(try tree.settle() == ["created d/x.a"])
    #expect(try other.settle() == ["created x.a", "created x.b"])
    tree.watch.cancel()
    try write("2", to: "d/x.a")
    #expect(try tree.settle() == [])
    #expect(try other.settle() == ["changed x.a"])
  }

  @Test func `files beyond the limit are reported once, and have a place when there is one`() throws {
    for name in ["a", "b", "c"] { try write(name, to: name) }
    let tree = try WatchedTree(folder.path, limit: 2)
    let first = try tree.settle()
    #expect(first.contains("full") && first.contains("looked") && tree.known.count == 2)
    try write("1", to: "d")
    #expect(try tree.settle() == [])
    unlink(folder(try #require(tree.known.keys.first)))
    #expect(try tree.settle().count == 1)
    // The next attempt finds one of the others.
    let later = try tree.settle(after: .seconds(11)) + tree.settle()
    #expect(later.filter { $0.hasPrefix("created") }.count == 1)
    #expect(tree.known.count == 2)
  }

  @Test func `lost events are reported, and the differences found`() throws {
    let tree = try WatchedTree(folder.path)
    _ = try tree.settle()
    let limit = try #require(
      Int(
        String(decoding: RegularFile.read("/proc/sys/fs/inotify/max_queued_events", limit: 99), as: UTF8.self)
          .dropLast()))
    for number in 0...(limit / 3) {
      try write("", to: "f\(number % 2)")
      rename(folder("f\(number % 2)"), folder("g\(number % 2)"))
    }
    try write("1", to: "last")
    let told = try tree.settle() + tree.settle()
    #expect(told.first == "overflow" && told.sorted().dropLast() == ["created g0", "created g1", "created last"])
  }

  @Test func `links to files are files, and those to folders are nothing`() throws {
    try write("1", to: "target")
    mkdir(folder("w"), 0o700)
    symlink("../target", folder("w/l"))
    symlink("..", folder("w/up"))
    symlink("nothing", folder("w/dangling"))
    let tree = try WatchedTree(folder("w"))
    #expect(try tree.settle() == ["found l", "looked"])
    #expect(Set(tree.watch.links.map(\.text)) == ["l", "up", "dangling"])
    try write("22", to: "target")
    tree.watch.note(link: "l", isUnderWay: false)
    #expect(try tree.settle() == ["changed l"])
    unlink(folder("w/l"))
    #expect(try tree.settle() == ["removed l"])
    #expect(Set(tree.watch.links.map(\.text)) == ["up", "dangling"])
  }
}
