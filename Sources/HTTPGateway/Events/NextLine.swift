/// A line with a value, parsed only as far as a stream needs.
///
///     {"event":"next","subscription":"climate.*","signal":"climate.raw","seq":17,"value":…}
///
/// The daemon writes its keys in this order; any other line is left to the general parser.
struct NextLine {
  /// The ranges of the label, if there is one, and of the name, and the sequence number.
  let label: Range<Int>?
  let signal: Range<Int>
  let seq: UInt64

  /// - Returns: `nil` for another line.
  init?(_ line: Span<UInt8>) {
    var place = 0
    guard Self.skip("{\"event\":\"next\",", &place, line) else { return nil }
    var label: Range<Int>?
    if Self.skip("\"subscription\":\"", &place, line) {
      guard let text = Self.text(&place, line), Self.skip(",", &place, line) else { return nil }
      label = text
    }
    guard Self.skip("\"signal\":\"", &place, line), let signal = Self.text(&place, line),
      Self.skip(",\"seq\":", &place, line)
    else { return nil }
    var seq: UInt64 = 0
    let start = place
    while place < line.count, 0x30...0x39 ~= line[place], place - start < 19 {
      seq = seq * 10 + UInt64(line[place] - 0x30)
      place += 1
    }
    guard place > start, place < line.count, line[place] == UInt8(ascii: ",") else { return nil }
    self.label = label
    self.signal = signal
    self.seq = seq
  }

  private static func skip(_ text: StaticString, _ place: inout Int, _ line: Span<UInt8>) -> Bool {
    let count = text.utf8CodeUnitCount
    guard place + count <= line.count else { return false }
    let isThere = text.withUTF8Buffer { bytes in bytes.indices.allSatisfy { bytes[$0] == line[place + $0] } }
    if isThere { place += count }
    return isThere
  }

  /// Returns the text up to the quote; one with escapes is not one of the known names.
  private static func text(_ place: inout Int, _ line: Span<UInt8>) -> Range<Int>? {
    let start = place
    while place < line.count, line[place] != UInt8(ascii: "\"") {
      if line[place] == UInt8(ascii: "\\") { return nil }
      place += 1
    }
    guard place < line.count else { return nil }
    defer { place += 1 }
    return start..<place
  }
}
