/// Moments in the notation of RFC 3339, in microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
package enum RFC3339 {
  /// The moments that are accepted from outside: from 1970 until early enough, in 2100, that adding any duration stays
  /// within the calendar.
  package static let accepted: ClosedRange<Int64> = 0...4_102_444_800_000_000

  private static let second: Int64 = 1_000_000
  private static let day: Int64 = 86_400 * second

  // MARK: Writing

  /// Formats a moment in UTC: `2026-05-01T12:00:00.000001Z`.
  package static func text(microseconds: Int64) -> String {
    var bytes: [UInt8] = []
    append(microseconds: microseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Formats a moment in the local time of a zone, with the fewest digits: `2026-05-01T06:00:00+02:00`.
  package static func text(microseconds: Int64, in zone: TimeZone) -> String {
    let offset = zone.offset(at: microseconds.divided(by: second).quotient)
    var bytes: [UInt8] = []
    // The offset of RFC 3339 has no seconds; those of historic local mean times are truncated.
    let minutes = offset / 60
    append(microseconds: microseconds + minutes * 60 * second, to: &bytes)
    bytes.removeLast()
    while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    if zone == .utc {
      bytes.append(UInt8(ascii: "Z"))
    } else {
      bytes.append(UInt8(ascii: minutes < 0 ? "-" : "+"))
      append(abs(minutes) / 60, digits: 2, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      append(abs(minutes) % 60, digits: 2, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a moment in UTC.
  package static func append(microseconds: Int64, to bytes: inout [UInt8]) {
    let (day, time) = microseconds.divided(by: day)
    let date = CivilDate(dayNumber: day)
    append(date.year, digits: 4, to: &bytes)
    // The rest always has the same length, and is appended at once.
    bytes.append(addingCapacity: 23) { rest in
      let (time, fraction) = (UInt32(time / second), UInt32(time % second))
      append("-", date.month, to: &rest)
      append("-", date.day, to: &rest)
      append("T", time / 3600, to: &rest)
      append(":", time / 60 % 60, to: &rest)
      append(":", time % 60, to: &rest)
      append(".", fraction / 10_000, to: &rest)
      append(nil, fraction / 100 % 100, to: &rest)
      append(nil, fraction % 100, to: &rest)
      rest.append(UInt8(ascii: "Z"))
    }
  }

  /// Appends a separator and two digits.
  @inline(__always)
  private static func append(
    _ separator: Unicode.Scalar?, _ number: some BinaryInteger, to bytes: inout OutputSpan<UInt8>
  ) {
    if let separator { bytes.append(UInt8(ascii: separator)) }
    let (tens, ones) = UInt8(truncatingIfNeeded: number).quotientAndRemainder(dividingBy: 10)
    bytes.append(UInt8(ascii: "0") + tens)
    bytes.append(UInt8(ascii: "0") + ones)
  }

  /// Appends a number, padded with leading zeros.
  private static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    append(number.magnitude, digits: digits, to: &bytes)
  }

  private static func append(_ number: UInt64, digits: Int, to bytes: inout [UInt8]) {
    if digits > 1 || number > 9 { append(number / 10, digits: digits - 1, to: &bytes) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  // MARK: Reading

  /// Parses a text such as `2026-05-01T14:00:00.25+02:00`; digits beyond microseconds are truncated.
  package static func microseconds(of text: String) -> Int64? {
    let text = text.utf8.span
    var place = 0
    guard let date = date(text, &place), skip("Tt ", text, &place), let time = timeOfDay(text, &place),
      let fraction = fraction(text, &place), let offset = offset(text, &place), place == text.count
    else { return nil }
    return date.dayNumber * day + (time - offset) * second + fraction
  }

  private static func date(_ text: Span<UInt8>, _ place: inout Int) -> CivilDate? {
    guard let year = number(4, text, &place), skip("-", text, &place), let month = number(2, text, &place),
      skip("-", text, &place), let day = number(2, text, &place)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// Parses seconds since midnight; second 60 is a leap second, which counts as the first of the next minute.
  private static func timeOfDay(_ text: Span<UInt8>, _ place: inout Int) -> Int64? {
    guard let hour = number(2, text, &place), skip(":", text, &place), let minute = number(2, text, &place),
      skip(":", text, &place), let second = number(2, text, &place), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func fraction(_ text: Span<UInt8>, _ place: inout Int) -> Int64? {
    guard skip(".", text, &place) else { return 0 }
    let start = place
    var (fraction, unit): (Int64, Int64) = (0, second)
    while place < text.count, 0x30...0x39 ~= text[place] {
      unit /= 10
      fraction += unit * Int64(text[place] &- UInt8(ascii: "0"))
      place += 1
    }
    return place == start ? nil : fraction
  }

  /// Parses an offset in seconds east of UTC.
  private static func offset(_ text: Span<UInt8>, _ place: inout Int) -> Int64? {
    if skip("Zz", text, &place) { return 0 }
    let isWest = place < text.count && text[place] == UInt8(ascii: "-")
    guard skip("+-", text, &place), let hours = number(2, text, &place), skip(":", text, &place),
      let minutes = number(2, text, &place), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }

  private static func number(_ count: Int, _ text: Span<UInt8>, _ place: inout Int) -> Int64? {
    guard text.count - place >= count else { return nil }
    var number: Int64 = 0
    for _ in 0..<count {
      guard 0x30...0x39 ~= text[place] else { return nil }
      number = number * 10 + Int64(text[place] &- UInt8(ascii: "0"))
      place += 1
    }
    return number
  }

  private static func skip(_ characters: StaticString, _ text: Span<UInt8>, _ place: inout Int) -> Bool {
    guard place < text.count, characters.withUTF8Buffer({ [byte = text[place]] in $0.contains(byte) }) else {
      return false
    }
    place += 1
    return true
  }
}
