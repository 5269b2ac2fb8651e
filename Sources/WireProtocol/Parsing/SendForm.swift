internal import Glibc

/// The form of most `send` lines from programs: op, signal and value in this order, and nothing else.
///
/// It is parsed here, so that only the value is left to the JSON parser, which would spend half of its work on the
/// strings around it. A line of any other form, including an invalid one, is left to the declaration.
struct SendForm {
  let signal: Range<Int>
  /// The text that must be one JSON value for the line to be valid.
  let value: Range<Int>

  /// Some JSON libraries put a space after each colon and comma.
  init?(_ line: Span<UInt8>) {
    if let compact = SendForm(line, #"{"op":"send","signal":""#, #"","value":"#) {
      self = compact
    } else if let spaced = SendForm(line, #"{"op": "send", "signal": ""#, #"", "value": "#) {
      self = spaced
    } else {
      return nil
    }
  }

  @inline(__always)
  private init?(_ line: Span<UInt8>, _ head: StaticString, _ middle: StaticString) {
    guard line.hasText(head, at: 0) else { return nil }
    let start = head.utf8CodeUnitCount
    var place = start
    while place < line.count, line[place].isPlain { place += 1 }
    guard line.hasText(middle, at: place) else { return nil }
    signal = start..<place
    let last = line.count - 1
    place += middle.utf8CodeUnitCount
    guard place < last, line[last] == UInt8(ascii: "}"), !line[place].isSpace, !line[last - 1].isSpace else {
      return nil
    }
    value = place..<last
  }
}

extension UInt8 {
  /// True if it represents itself in a string: ASCII, no control character, neither quote nor backslash.
  fileprivate var isPlain: Bool { 0x20...0x7E ~= self && self != 0x22 && self != 0x5C }
}

extension Span<UInt8> {
  @inline(__always)
  fileprivate func hasText(_ text: StaticString, at place: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard place + length <= count else { return false }
    return withUnsafeBytes { bytes in
      bytes.baseAddress.map { memcmp($0 + place, text.utf8Start, length) == 0 } ?? false
    }
  }
}
