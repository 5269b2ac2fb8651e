import Glibc
import Linux
import TestSupport
import Testing

@Suite struct `Files of a folder that are followed together` {
  private let folder = TemporaryFolder()

  private func append(_ text: String, to name: String) throws {
    try RegularFile.append(Array(text.utf8), to: folder(name))
  }

  private func start(_ pattern: String, from start: FolderTail.Start = .beginning, limit: Int = 100) -> FolderTail {
    let tail = FolderTail(folder(pattern), limit: limit)
    tail.start(from: start)
    return tail
  }

  /// Returns the new lines of files, after a change of the folder.
  private func texts(_ tail: FolderTail) -> [String] {
    tail.note([], isStale: true)
    var texts: [String] = []
    while tail.read(
      upTo: 4096,
      { if case .file(.appended(let bytes), _) = $0 { texts.append(String(decoding: bytes, as: UTF8.self)) } })
    {}
    return texts.sorted()
  }

  @Test func `files that match are read, those that come later from their start`() throws {
    try append("old\n", to: "a.log")
    try append("other\n", to: "a.txt")
    try append("hidden\n", to: ".b.log")
    let tail = start("*.log", from: .end)
    #expect(texts(tail) == [])
    try append("1\n", to: "a.log")
    try append("2\n", to: "c.log")
    #expect(texts(tail) == ["1\n", "2\n"])
    #expect(texts(start("*.log")) == ["2\n", "old\n1\n"])
  }

  @Test func `a file that is rotated is not read twice, whether its new name matches or not`() throws {
    let all = start("app*")
    let one = start("*.log")
    try append("1\n", to: "app.log")
    #expect(texts(all) == ["1\n"] && texts(one) == ["1\n"])
    rename(folder("app.log"), folder("app.log.1"))
    try append("2\n", to: "app.log.1")
    #expect(texts(all) == ["2\n"] && texts(one) == ["2\n"])
    try append("3\n", to: "app.log")
    #expect(texts(all) == ["3\n"] && texts(one) == ["3\n"])
    rename(folder("app.log.1"), folder("app.log.2"))
    rename(folder("app.log"), folder("app.log.1"))
    try append("4\n", to: "app.log")
    #expect(texts(all) == ["4\n"] && texts(one) == ["4\n"])
    unlink(folder("app.log.2"))
    #expect(texts(all) == [] && texts(one) == [])
  }

  @Test func `reading resumes where files were read to, and those that have come are new`() throws {
    try append("1\n", to: "a.log")
    try append("2\n", to: "b.log")
    let tail = start("*.log")
    var places: [FolderTail.FileNumbers: FileTail.Place] = [:]
    var ended: [FolderTail.FileNumbers] = []
    func note(_ event: FolderTail.Event) {
      switch event {
      case .file(.reached(let place), let numbers): places[numbers] = place
      case .ended(let numbers): ended.append(numbers)
      default: break
      }
    }
    tail.note([], isStale: true)
    while tail.read(upTo: 4096, note) {}
    #expect(places.count == 2)
    let known = places.values.map { (place: $0, path: folder("x")) }
    rename(folder("a.log"), folder("a.log.1"))
    try append("3\n", to: "a.log.1")
    unlink(folder("b.log"))
    try append("4\n", to: "c.log")
    let next = FolderTail(folder("*.log"), limit: 100)
    next.start(from: .places(known))
    var texts: [String] = []
    while next.read(
      upTo: 4096,
      { event in
        note(event)
        if case .file(.appended(let bytes), _) = event { texts.append(String(decoding: bytes, as: UTF8.self)) }
      })
    {}
    #expect(texts.sorted() == ["3\n", "4\n"])
    #expect(ended.count >= 1)
  }

  @Test func `a name that matches and is not UTF-8 is reported, before reading began or after`() throws {
    func touch(_ path: String) {
      let name =
        Array(folder("\(path)").utf8CString.dropLast()) + [CChar(bitPattern: 0xff), CChar(0x2e), CChar(0x6c), 0]
      close(open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    }
    func faults(_ tail: FolderTail) -> [String] { tail.faults.values.map { "\($0)" } }
    let tail = start("a*.l")
    touch("b")
    _ = texts(tail)
    #expect(faults(tail) == [])
    touch("a")
    _ = texts(tail)
    #expect(faults(tail) == ["\(folder.path): a name that is not UTF-8"])
    #expect(faults(start("a*.l", from: .end)) == ["\(folder.path): a name that is not UTF-8"])
  }

  @Test func `there is a bound on how many files are followed`() throws {
    for name in ["a", "b", "c"] { try append("\(name)\n", to: name) }
    let tail = start("*", limit: 2)
    #expect(texts(tail) == ["a\n", "b\n"])
    #expect(tail.isFull)
    unlink(folder("a"))
    _ = texts(tail)
    #expect(texts(tail) == ["c\n"])
    #expect(!tail.isFull)
  }
}
