/// The words of a line in shorthand.
struct ShorthandWords {
  private let line: [UInt8]
  private var index = 0

  init(_ line: [UInt8]) { self.line = line }

  mutating func next() -> String? {
    skip { $0.isSpace }
    let start = index
    skip { !$0.isSpace }
    return index > start ? String(decoding: line[start..<index], as: UTF8.self) : nil
  }

  /// Returns the range of the rest, without surrounding spaces.
  mutating func rest() -> Range<Int> {
    skip { $0.isSpace }
    var end = line.count
    while end > index && line[end - 1].isSpace { end -= 1 }
    defer { index = line.count }
    return index..<end
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while index < line.count && condition(line[index]) { index += 1 }
  }
}
