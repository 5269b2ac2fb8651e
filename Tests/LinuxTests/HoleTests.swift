import Glibc
import TestSupport
import Testing

@testable import Linux

/// Logs that are truncated while their writer keeps its position, which leaves a hole before its next line.
@Suite struct `Holes in followed files` {
  private let folder = TemporaryFolder()

  /// A writer that does not append.
  private final class Writer {
    private let file: OwnedDescriptor
    private var offset: off_t = 0

    init(_ path: String) { file = OwnedDescriptor(owning: open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) { offset += off_t(pwrite(file.number, bytes, bytes.count, offset)) }

    func skip(_ count: Int64) { offset += off_t(count) }
  }

  private func reader(from start: FileTail.Start = .beginning) -> TailReader { TailReader(folder("t"), from: start) }

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  @Test(arguments: [false, true])
  func `are skipped, and reading resumes in the file after a restart`(restarts: Bool) throws {
    let writer = Writer(folder("t"))
    var reader = reader()
    var size: Int64 = 0
    for round in 1...3 {
      let text = (0..<500).map { "line \(round) \($0)\n" }.joined() + "ha"
      writer.write(text)
      size += Int64(text.utf8.count)
      reader.settle()
      if restarts { reader.restart() }
      writer.write("lf \(round)\n")
      size += 5
      reader.settle()
      #expect(reader.lines.suffix(2) == ["line \(round) 499", "half \(round)"])
      #expect(reader.lines.count == 501 * round)
      truncate(folder("t"), 0)
      if restarts { reader.restart() }
      if round == 2 { reader.settle() }
      #expect(reader.holes.count == round - 1)
    }
    #expect(reader.losses.count == 2)
    writer.write("last\n")
    reader.settle()
    #expect(reader.lines.last == "last" && reader.lines.count == 501 * 3 + 1)
    #expect(reader.holes.last == size)
  }

  @Test func `of any size are skipped without reading them`() throws {
    let writer = Writer(folder("t"))
    writer.write("one\n")
    writer.skip(1 << 30)
    writer.write("two\n")
    writer.skip(1 << 30)
    var reader = reader()
    var steps = 1
    while reader.step(), steps < 1000 { steps += 1 }
    // The blocks around a hole are stored.
    try #require(steps < 1000)
    writer.write("three\n")
    reader.restart()
    steps = 1
    while reader.step(), steps < 1000 { steps += 1 }
    #expect(reader.lines == ["one", "two", "three"])
    #expect(reader.holes == [1 << 30, 1 << 30])
  }

  @Test func `are distinguished from NUL bytes inside a line, wherever reading stops or starts again`() throws {
    let writer = Writer(folder("t"))
    // Stored bytes, which are read one portion after the other.
    writer.write(Self.zeros(1500))
    writer.write("a\n")
    writer.write(Self.zeros(3000))
    writer.write("b")
    writer.write(Self.zeros(3000))
    writer.write("c\n\n")
    writer.write(Self.zeros(3) + [0x0A])
    writer.write("d\n")
    let expected = ["a", "b" + String(repeating: "\0", count: 3000) + "c", "", "", "d"]
    for stop in 0..<80 {
      var reader = reader()
      for _ in 0..<stop { _ = reader.step() }
      reader.restart()
      reader.settle()
      #expect(reader.lines == expected, "after \(stop) portions")
      #expect(reader.losses.isEmpty)
    }
    var other = reader()
    while other.step() { other.restart() }
    #expect(other.lines == expected)
    var whole = reader()
    whole.settle()
    #expect(whole.holes == [1500, 3000, 3])
  }

  @Test func `at the end wait for what follows, in the same file and in the next`() throws {
    let writer = Writer(folder("t"))
    writer.write("a\n")
    writer.write(Self.zeros(500))
    var reader = reader()
    reader.settle()
    #expect(reader.lines == ["a"] && reader.holes == [])
    writer.write("b\n")
    writer.write(Self.zeros(500))
    reader.settle()
    #expect(reader.lines == ["a", "b"] && reader.holes == [500])
    rename(folder("t"), folder("t.1"))
    try RegularFile.append(Array("c\n".utf8), to: folder("t"))
    reader.settle()
    #expect(reader.lines == ["a", "b", "c"] && reader.holes == [500])
  }

  @Test func `are no unfinished lines when the file is truncated again`() throws {
    let writer = Writer(folder("t"))
    writer.write("a\n")
    writer.write(Self.zeros(300))
    var reader = reader()
    reader.settle()
    truncate(folder("t"), 0)
    reader.settle()
    #expect(reader.losses == [TailLoss(reason: .truncated, offset: 302, unfinished: 0)])
  }

  @Test func `are skipped in each file of a folder, before and after a restart`() throws {
    for name in ["a", "b"] {
      let writer = Writer(folder("\(name).log"))
      writer.write(Self.zeros(5000))
      writer.write("1 \(name)\n")
    }
    var places: [FolderTail.FileNumbers: (place: FileTail.Place, path: String)] = [:]
    var lines: [String] = []
    var holes: [Int64] = []
    func settle(_ tail: FolderTail) {
      while tail.read(
        upTo: 1000,
        { event in
          switch event {
          case .began(let place, let path): places[FolderTail.FileNumbers(place)] = (place, path)
          case .file(.reached(let place), let numbers): places[numbers]?.place = place
          case .file(.appended(let bytes), _): lines.append(String(decoding: bytes, as: UTF8.self))
          case .file(.skipped(let count), _): holes.append(count)
          case .file, .ended: break
          }
        })
      {}
    }
    let tail = FolderTail(folder("*.log"), limit: 10)
    tail.start(from: .beginning)
    settle(tail)
    #expect(lines.sorted() == ["1 a\n", "1 b\n"] && holes == [5000, 5000])
    for name in ["a", "b"] {
      try RegularFile.append(Self.zeros(2000) + Array("2 \(name)\n".utf8), to: folder("\(name).log"))
    }
    rename(folder("a.log"), folder("a.old"))
    let other = FolderTail(folder("*.log"), limit: 10)
    other.start(from: .places(Array(places.values)))
    settle(other)
    #expect(lines.sorted() == ["1 a\n", "1 b\n", "2 a\n", "2 b\n"] && holes == [5000, 5000, 2000, 2000])
  }
}
