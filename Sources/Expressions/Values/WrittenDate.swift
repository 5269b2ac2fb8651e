internal import COnig
internal import Glibc

/// A date in a text and its format, rewritten for the C library's `strptime`.
///
/// It supports no fractions and ignores zone names. `%f` is removed with its digits; `%Z` and its word become `%z` and
/// the offset of the word.
struct WrittenDate {
  private var bytes: [UInt8]
  private var directives: [UInt8]
  /// The fraction of a second from the digits of `%f`.
  private(set) var fraction = 0.0

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var format: String { String(decoding: directives, as: UTF8.self) }

  /// Creates the rewriting; `nil` if the text does not match the format.
  init?(_ text: String, _ format: String) throws(ExpressionError) {
    (bytes, directives) = (Array(text.utf8), Array(format.utf8))
    // Each may occur once, so that the work is linear in the format.
    if let place = try place(of: "f"), !takeFraction(place) { return nil }
    if let place = try place(of: "Z"), try !takeZone(place) { return nil }
  }

  /// Returns the range of a directive in the format.
  private func place(of letter: Unicode.Scalar) throws(ExpressionError) -> Range<Int>? {
    var places: [Range<Int>] = []
    var index = 0
    while let start = directives[index...].firstIndex(of: UInt8(ascii: "%")),
      let end = directives[(start + 1)...].firstIndex(where: { !"-_0^#EO".utf8.contains($0) })
    {
      index = end + 1
      if directives[end] == UInt8(ascii: letter) { places.append(start..<index) }
    }
    if places.count > 1 { throw .badValue("strptime/1: %\(letter) may stand once in a format") }
    return places.first
  }

  /// Returns the position in the text that a directive reads from.
  private func start(of directive: Range<Int>) -> Int? {
    let beginning = String(decoding: directives[..<directive.lowerBound], as: UTF8.self)
    var scratch = tm()
    return text.withCString { text in
      strptime(text, beginning, &scratch).map { UnsafePointer($0) - text }
    }
  }

  private mutating func takeFraction(_ directive: Range<Int>) -> Bool {
    guard let start = start(of: directive) else { return false }
    let digits = bytes[start...].prefix { isdigit(Int32($0)) != 0 }
    guard !digits.isEmpty else { return false }
    fraction = Double("0." + String(decoding: digits, as: UTF8.self)) ?? 0
    bytes.removeSubrange(digits.indices)
    directives.removeSubrange(directive)
    return true
  }

  /// Replaces a zone's word by its offset.
  private mutating func takeZone(_ directive: Range<Int>) throws(ExpressionError) -> Bool {
    guard let start = start(of: directive) else { return false }
    let rest = bytes[start...].drop { isspace(Int32($0)) != 0 }
    guard let first = rest.first else { return false }
    if "+-".utf8.contains(first) {
      directives.replaceSubrange(directive, with: "%z".utf8)
      return true
    }
    let word = rest.prefix { isalpha(Int32($0)) != 0 || "_/".utf8.contains($0) }
    guard !word.isEmpty else { return false }
    // Beside an offset the name is redundant, as in `+0200 (CEST)`.
    let saysOffset = try place(of: "z") != nil
    let name = String(decoding: word, as: UTF8.self)
    guard let offset = saysOffset ? "" : Self.offsets[name.uppercased()] else {
      throw .badValue(
        "the time zone \"\(name)\" has no certain offset; %Z reads UTC, GMT, Z, the zones of RFC 5322 and offsets")
    }
    bytes.replaceSubrange(word.indices, with: offset.utf8)
    directives.replaceSubrange(directive, with: saysOffset ? "".utf8 : "%z".utf8)
    return true
  }

  /// The zones with a fixed offset: RFC 3339, section 5.6, and RFC 5322, section 4.3.
  private static let offsets = [
    "Z": "+0000", "UT": "+0000", "UTC": "+0000", "GMT": "+0000",
    "EDT": "-0400", "EST": "-0500", "CDT": "-0500", "CST": "-0600", "MDT": "-0600", "MST": "-0700", "PDT": "-0700",
    "PST": "-0800",
  ]
}
