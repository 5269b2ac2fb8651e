/// The form in which programs write most `send` lines: op, signal and value in this order, and nothing else.
///
/// It is taken apart here, so that the JSON parser has only the value to look at: half of its work on a common line is
/// with the strings around it. A line of any other form, a wrong one too, is left to the declaration.
struct SendForm {
  let signal: Range<Int>
  /// What must be one JSON value for the line to be right.
  let value: Range<Int>

  init?(_ line: Span<UInt8>) {
    var place = 0
    guard
      line.skip("{", &place), line.skip("\"op\"", &place), line.skip(":", &place), line.skip("\"send\"", &place),
      line.skip(",", &place), line.skip("\"signal\"", &place), line.skip(":", &place), place < line.count,
      line[place] == UInt8(ascii: "\"")
    else { return nil }
    place += 1
    let start = place
    while place < line.count, line[place].isPlain { place += 1 }
    signal = start..<place
    guard
      line.skip("\"", &place), line.skip(",", &place), line.skip("\"value\"", &place), line.skip(":", &place),
      let brace = line.lastNonSpace(from: place), line[brace] == UInt8(ascii: "}"),
      let last = line.extracting(..<brace).lastNonSpace(from: place)
    else { return nil }
    value = place..<(last + 1)
  }
}

extension UInt8 {
  /// Whether it stands for itself in a string: ASCII, no control character, neither quote nor backslash.
  fileprivate var isPlain: Bool { 0x20...0x7E ~= self && self != 0x22 && self != 0x5C }
}

extension Span<UInt8> {
  /// The place of the last byte that is no space, from a place on.
  fileprivate func lastNonSpace(from start: Int) -> Int? {
    var place = count - 1
    while place >= start, self[place].isSpace { place -= 1 }
    return place >= start ? place : nil
  }

  /// Goes past a text and the spaces behind it, if it stands at the place.
  @inline(__always)
  fileprivate func skip(_ text: StaticString, _ place: inout Int) -> Bool {
    guard place + text.utf8CodeUnitCount <= count else { return false }
    for offset in 0..<text.utf8CodeUnitCount where self[place + offset] != text.utf8Start[offset] { return false }
    place += text.utf8CodeUnitCount
    while place < count, self[place].isSpace { place += 1 }
    return true
  }
}
