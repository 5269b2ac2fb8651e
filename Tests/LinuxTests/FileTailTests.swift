import Glibc
import TestSupport
import Testing

@testable import Linux

/// A file followed by its path, under the changes typical of log files.
@Suite struct `A file whose end is followed` {
  private let folder = TemporaryFolder()

  private func append(_ text: String, to name: String = "t") throws {
    try RegularFile.append(Array(text.utf8), to: folder(name))
  }

  /// Overwrites a file in place from its start.
  private func rewrite(_ name: String, with text: String) throws {
    let file = OwnedDescriptor(owning: open(folder(name), O_WRONLY | O_TRUNC | O_CLOEXEC))
    try file.transfer.writeAll(text)
  }

  private func reader(from start: FileTail.Start = .beginning, of name: String = "t") -> TailReader {
    TailReader(folder(name), from: start)
  }

  private static let lines = (1...10).map { "old line \($0)\n" }.joined()
  /// More than a kilobyte that is equal in two files.
  private static let header = String(repeating: "# header of every file\n", count: 100)

  @Test(arguments: ["", header])
  func `a file that has grown is resumed, and one that was rewritten is read from its start`(
    beginning: String
  ) throws {
    try append(beginning + Self.lines)
    var reader = reader()
    reader.settle()
    try append("more\n")
    reader.restart()
    reader.settle()
    #expect(reader.lines.suffix(2) == ["old line 10", "more"] && reader.losses.isEmpty)
    try rewrite("t", with: beginning + (0..<50).map { "new line \($0)\n" }.joined())
    reader.restart()
    reader.lines = []
    reader.settle()
    #expect(reader.lines.filter { !$0.hasPrefix("#") } == (0..<50).map { "new line \($0)" })
    #expect(reader.losses.map(\.reason) == [.gone])
  }

  @Test func `another file with an old number is read from its start, whatever it is called`() throws {
    try append(Self.lines)
    var reader = reader()
    reader.settle()
    reader.lines = []
    // The inode number is unchanged, as if the file system had reused it.
    try rewrite("t", with: (0..<50).map { "new line \($0)\n" }.joined())
    rename(folder("t"), folder("other"))
    try append("here\n")
    reader.restart()
    reader.settle()
    #expect(reader.lines == ["here"])
  }

  @Test(arguments: [Self.lines, "half", ""])
  func `what was truncated and has grown beyond the old place between two looks is read from its start`(rest: String)
    throws
  {
    try append(Self.lines + rest)
    var reader = reader()
    reader.settle()
    reader.lines = []
    try rewrite("t", with: (0..<50).map { "new line \($0)\n" }.joined())
    reader.settle()
    #expect(reader.lines == (0..<50).map { "new line \($0)" })
    #expect(reader.losses.map(\.reason) == [.rewritten])
    #expect(reader.losses.first?.unfinished == (rest == "half" ? 4 : 0))
  }

  @Test func `a file of the old length is read again if another text stands in it, and not if it was touched`() throws {
    try append(Self.header + "a 1\n" + String(repeating: "-\n", count: 100))
    var reader = reader()
    reader.settle()
    reader.lines = []
    utimes(folder("t"), nil)
    reader.settle()
    #expect(reader.lines.isEmpty && reader.losses.isEmpty)
    try rewrite("t", with: Self.header + "b 2\n" + String(repeating: "-\n", count: 100))
    // File system clocks are coarse: the modification time must differ.
    var times = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
    utimes(folder("t"), &times)
    reader.settle()
    #expect(reader.lines.contains("b 2"))
  }

  @Test func `reading resumes at a place that an earlier version kept`() throws {
    try append("one\n")
    var reader = reader()
    reader.settle()
    let place = try #require(reader.place)
    reader.place = FileTail.Place(device: place.device, inode: place.inode, offset: place.offset)
    try append("two\n")
    reader.restart()
    reader.settle()
    #expect(reader.lines == ["one", "two"])
  }

  @Test func `files that were rotated one after the other without a reader are read in their order`() throws {
    try append("1\n")
    var reader = reader()
    reader.settle()
    func date(_ name: String, _ seconds: Int) {
      var times = [timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0)]
      utimes(folder(name), &times)
    }
    try append("earlier\n", to: "t.4")
    date("t.4", 1)
    try append("2\n")
    rename(folder("t"), folder("t.3"))
    date("t.3", 2)
    for (name, time) in [("t.2", 3), ("t-20260101", 4)] {
      try append("in \(name)\n", to: name)
      date(name, time)
    }
    try append("other\n", to: "t.offset")
    try append("now\n")
    reader.restart()
    reader.settle()
    #expect(reader.lines == ["1", "2", "in t.2", "in t-20260101", "now"])
  }

  @Test func `a removed file is closed when nothing was added for some time, and its last line counts`() throws {
    try append("1\nlast")
    var reader = reader()
    reader.settle()
    let writer = OwnedDescriptor(owning: open(folder("t"), O_WRONLY | O_APPEND | O_CLOEXEC))
    unlink(folder("t"))
    let begin = MonotonicInstant.now()
    reader.settle(at: begin)
    try writer.transfer.writeAll(" one")
    reader.settle(at: begin + .seconds(4))
    reader.settle(at: begin + .seconds(8))
    #expect(reader.lines == ["1"] && reader.tail.hasPast)
    reader.settle(at: begin + .seconds(10))
    #expect(reader.lines == ["1", "last one"] && !reader.tail.hasPast)
    try append("2\n")
    reader.settle()
    #expect(reader.lines == ["1", "last one", "2"])
  }

  @Test func `a line without an end is not emitted of a file that went without a reader`() throws {
    try append("1\nhalf")
    var reader = reader()
    reader.settle()
    unlink(folder("t"))
    try append("2\n")
    reader.restart()
    reader.settle()
    #expect(reader.lines == ["1", "2"])
    #expect(reader.losses.map(\.reason) == [.gone])
  }

  @Test func `a link that leads to another file and back emits no line twice`() throws {
    try append("a1\n", to: "a")
    try append("b1\n", to: "b")
    symlink("a", folder("t"))
    var reader = reader()
    reader.settle()
    for (target, line) in [("b", "b2"), ("a", "a2"), ("b", "b3"), ("a", "a3")] {
      symlink(target, folder("new"))
      rename(folder("new"), folder("t"))
      reader.settle()
      try append("\(line)\n", to: target)
      reader.settle()
    }
    #expect(reader.lines == ["a1", "b1", "b2", "a2", "b3", "a3"])
  }

  @Test func `a byte order mark belongs to no line, wherever reading stops in it`() throws {
    try append("")
    var reader = reader()
    for byte in [0xEF, 0xBB, 0xBF] as [UInt8] {
      try RegularFile.append([byte], to: folder("t"))
      reader.settle()
    }
    try append("1\n")
    reader.settle()
    #expect(reader.lines == ["1"])
    reader.restart()
    try append("2\n")
    reader.settle()
    #expect(reader.lines == ["1", "2"])
  }

  @Test(arguments: [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]])
  func `of text of UTF-16 only the mark is emitted, and what another file holds after it`(mark: [UInt8]) throws {
    try RegularFile.append(mark + [0x31, 0, 0x0A, 0], to: folder("t"))
    var reader = reader()
    reader.settle()
    try RegularFile.append([0x32, 0, 0x0A, 0], to: folder("t"))
    reader.settle()
    reader.restart()
    try RegularFile.append([0x33, 0, 0x0A, 0], to: folder("t"))
    reader.settle()
    #expect(reader.bytes == mark + [0x0A])
    try rewrite("t", with: "1\n")
    reader.settle()
    #expect(reader.bytes == mark + [0x0A] + Array("1\n".utf8))
  }
}
