import Glibc
import TestSupport
import Testing

@testable import Linux

/// Random operations on log files, while they are followed and while they are not.
@Suite struct `A storm around a file whose end is followed` {
  private let folder = TemporaryFolder()

  @Test(arguments: 1...40) func `emits each line once, in order and whole, and loses only what was cut off unread`(
    seed: UInt64
  ) throws {
    var storm = TailStorm(in: folder, seed: seed)
    for _ in 0..<300 { try storm.step() }
    try storm.finish()
    #expect(storm.reader.lines.filter { !storm.written.contains($0) } == [], "lines that were not written")
    #expect(Set(storm.reader.lines).count == storm.reader.lines.count, "lines that were emitted twice")
    let told = Set(storm.reader.lines)
    #expect(storm.reader.lines == storm.written.filter(told.contains), "lines in another order")
    let missing = storm.written.filter { !told.contains($0) && !storm.mayBeLost.contains($0) }
    #expect(missing == [], "lines that were lost")
  }
}

/// One file, the operations on it, and its reader.
private struct TailStorm {
  private let folder: TemporaryFolder
  private var random: SplitMix
  private(set) var reader: TailReader
  private(set) var written: [String] = []
  /// Lines that were unread when their file was truncated or removed.
  private(set) var mayBeLost: Set<String> = []
  /// Lines since the last complete read.
  private var unread: [String] = []
  private var departures: [String] = []
  private var rotations = 0
  private var hasRotatedUnseen = false
  /// True if the last rotated file can be found by its modification time alone.
  private var isBetween = false
  private var isDown = false

  init(in folder: TemporaryFolder, seed: UInt64) {
    self.folder = folder
    random = SplitMix(seed: seed)
    reader = TailReader(folder("t"))
  }

  mutating func step() throws {
    switch Int.random(in: 0..<16, using: &random) {
    case 0...5: try append(Int.random(in: 1...4, using: &random))
    case 6...8: settle()
    case 9: rotate()
    case 10: cutOff()
    case 11:
      cutOff()
      // As much as before, and more.
      try append(Int.random(in: 1...40, using: &random))
    case 12: remove()
    case 13: try writeHalf()
    case 14: stop()
    default: restart()
    }
  }

  mutating func finish() throws {
    restart()
    try append(1)
    settle()
    settle()
  }

  private mutating func settle() {
    if isDown { return }
    look()
    unread = []
  }

  private mutating func look() {
    let losses = reader.losses.count
    reader.settle(departures: departures)
    departures = []
    // Reported as lost, of a removed file.
    if reader.losses.count > losses { mayBeLost.formUnion(unread) }
  }

  private mutating func stop() {
    hasRotatedUnseen = !departures.isEmpty
    if departures.count > 1 { mayBeLost.formUnion(unread) }
    departures = []
    isDown = true
  }

  private mutating func restart() {
    if isDown { reader.restart() }
    isDown = false
    hasRotatedUnseen = false
  }

  private mutating func append(_ count: Int) throws {
    for _ in 0..<count {
      let line = "line \(written.count) of the storm"
      try RegularFile.append(Array("\(line)\n".utf8), to: folder("t"))
      written.append(line)
      unread.append(line)
    }
  }

  private mutating func rotate() {
    // Files rotated twice between reads are found by their modification times, which are coarse. A file of which nothing
    // was read is known by its inode number alone, which a later file may have.
    isBetween = isDown && (hasRotatedUnseen || reader.place.map { $0.offset == 0 } ?? true)
    if isBetween { mayBeLost.formUnion(unread) }
    hasRotatedUnseen = isDown
    rotations += 1
    if rename(folder("t"), folder("t.\(rotations)")) == 0, !isDown { departures.append(folder("t.\(rotations)")) }
  }

  private mutating func cutOff() {
    mayBeLost.formUnion(unread)
    truncate(folder("t"), 0)
  }

  private mutating func remove() {
    mayBeLost.formUnion(unread)
    unlink(folder("t"))
  }

  /// Writes a line in two parts; its file may be truncated or renamed in between.
  private mutating func writeHalf() throws {
    let line = "line \(written.count) in halves"
    let name = folder("t")
    try RegularFile.append(Array(line.prefix(6).utf8), to: name)
    if Bool.random(using: &random), !isDown { look() }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return cutOff()
    case 1:
      rotate()
      try RegularFile.append(Array("\(line.dropFirst(6))\n".utf8), to: folder("t.\(rotations)"))
      if isBetween { mayBeLost.insert(line) }
    default: try RegularFile.append(Array("\(line.dropFirst(6))\n".utf8), to: name)
    }
    written.append(line)
    unread.append(line)
  }
}
