/// A file of the configuration: its name, its text and its index among the files.
package final class SourceFile: Sendable {
  /// The name as given on the command line or by the service manager.
  package var name: String { shared.value.name }
  /// Its name and its text, which a running configuration keeps.
  let shared: Shared<SourceText>
  /// The position among the files read, from 0.
  package let index: Int
  package var text: String { shared.value.text }
  private let lines: [LineStart]

  package init(name: String, index: Int = 0, text: String) {
    shared = Shared(SourceText(name: name, text: text))
    self.index = index
    lines = Self.lines(of: text)
  }

  /// The file's first column, for diagnostics about the whole file.
  package var start: Place { Place(file: self, line: 1, column: 1) }

  /// Returns the text of a line, from 1, without its terminator; `nil` past the last line.
  package func line(_ number: Int) -> Substring? {
    guard number >= 1, number <= lines.count else { return nil }
    let tail = text[text.utf8.index(text.startIndex, offsetBy: lines[number - 1].byte)...]
    let end = tail.unicodeScalars.firstIndex { $0 == "\n" || $0 == "\r" }
    return tail[..<(end ?? tail.endIndex)]
  }

  /// Returns the place of the Unicode scalar at an offset from 0.
  func place(ofScalar offset: Int) -> Place {
    let line = lastLine { $0.scalar <= offset }
    return Place(file: self, line: line + 1, column: offset - lines[line].scalar + 1)
  }

  /// Returns the place of the byte at an offset from 0; an offset past the end yields the end.
  func place(ofByte offset: Int) -> Place {
    let line = lastLine { $0.byte <= offset }
    let start = text.utf8.index(text.startIndex, offsetBy: lines[line].byte)
    let end = text.utf8.index(start, offsetBy: offset - lines[line].byte, limitedBy: text.endIndex)
    return Place(
      file: self, line: line + 1, column: text.unicodeScalars[start..<(end ?? text.endIndex)].count + 1)
  }

  /// Returns the text with replacements applied, and those applied, ordered by place; one that overlaps an earlier one
  /// is left out.
  package func applying(_ fixIts: [FixIt]) -> (text: String, applied: [FixIt]) {
    let old = Array(text.utf8)
    var new: [UInt8] = []
    var (end, applied): (Int, [FixIt]) = (0, [])
    for fixIt in fixIts.sorted(by: { $0.place < $1.place }) {
      let start = byteOffset(of: fixIt.place)
      guard start >= end else { continue }
      new += old[end..<start] + Array(fixIt.replacement.utf8)
      end = start + fixIt.original.utf8.count
      applied.append(fixIt)
    }
    return (String(decoding: new + old[end...], as: UTF8.self), applied)
  }

  private func byteOffset(of place: Place) -> Int {
    let start = text.utf8.index(text.startIndex, offsetBy: lines[place.line - 1].byte)
    let end = text.unicodeScalars.index(start, offsetBy: place.column - 1)
    return text.utf8.distance(from: text.startIndex, to: end)
  }

  private struct LineStart {
    var byte = 0
    var scalar = 0
  }

  /// Returns the last line whose start satisfies a condition that holds for a prefix of the lines (binary search).
  private func lastLine(where holds: (LineStart) -> Bool) -> Int {
    var (low, high) = (0, lines.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(lines[middle]) { low = middle } else { high = middle }
    }
    return low
  }

  /// The places where lines begin: after a line feed, or a carriage return without one, as in YAML 1.2.
  private static func lines(of text: String) -> [LineStart] {
    var starts = [LineStart()]
    var here = LineStart()
    var previous: UInt8 = 0
    for byte in Array(text.utf8) {
      here.byte += 1
      if byte & 0xC0 != 0x80 { here.scalar += 1 }
      if byte == UInt8(ascii: "\n"), previous == UInt8(ascii: "\r") { starts.removeLast() }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { starts.append(here) }
      previous = byte
    }
    return starts
  }
}
