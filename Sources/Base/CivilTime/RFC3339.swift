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
    bytes.append(UInt8(ascii: "-"))
    append(date.month, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    append(date.day, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    append(time / (3600 * second), digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(time / (60 * second) % 60, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(time / second % 60, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    append(time % second, digits: 6, to: &bytes)
    bytes.append(UInt8(ascii: "Z"))
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
    var rest = text.utf8[...]
    guard let date = date(&rest), skip("Tt ", &rest), let time = timeOfDay(&rest), let fraction = fraction(&rest),
      let offset = offset(&rest), rest.isEmpty
    else { return nil }
    return date.dayNumber * day + (time - offset) * second + fraction
  }

  private static func date(_ rest: inout Substring.UTF8View) -> CivilDate? {
    guard let year = number(&rest, 4), skip("-", &rest), let month = number(&rest, 2), skip("-", &rest),
      let day = number(&rest, 2)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// Parses seconds since midnight; second 60 is a leap second, which counts as the first of the next minute.
  private static func timeOfDay(_ rest: inout Substring.UTF8View) -> Int64? {
    guard let hour = number(&rest, 2), skip(":", &rest), let minute = number(&rest, 2), skip(":", &rest),
      let second = number(&rest, 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func fraction(_ rest: inout Substring.UTF8View) -> Int64? {
    guard skip(".", &rest) else { return 0 }
    let digits = rest.prefix { 0x30...0x39 ~= $0 }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    let six = digits.prefix(6)
    return (six.count..<6).reduce(value(of: six)) { number, _ in number * 10 }
  }

  /// Parses an offset in seconds east of UTC.
  private static func offset(_ rest: inout Substring.UTF8View) -> Int64? {
    if skip("Zz", &rest) { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+-", &rest), let hours = number(&rest, 2), skip(":", &rest), let minutes = number(&rest, 2),
      hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }

  private static func number(_ rest: inout Substring.UTF8View, _ count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    rest = rest.dropFirst(count)
    return value(of: digits)
  }

  private static func value(of digits: Substring.UTF8View) -> Int64 {
    digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  private static func skip(_ characters: String, _ rest: inout Substring.UTF8View) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
