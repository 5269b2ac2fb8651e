/// The notation of durations: `250ms`, `2s`, `1m30s`, `1h`, `7d`, and in tests also `1s5ms250us` and `7ns`.
package enum DurationText {
  /// The upper bound of all durations, a hundred years, so that no clock overflows.
  package static let longest = Duration.seconds(100 * 365 * 86_400)

  /// The finest unit accepted.
  package enum Precision: Int128 {
    case nanoseconds = 1
    case milliseconds = 1_000_000
  }

  private static let units: [(name: StaticString, nanoseconds: Int128)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
    ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
  ]

  /// Parses whole numbers with units, from the largest to the smallest, each at most once.
  package static func duration(_ text: String, to precision: Precision = .milliseconds) -> Duration? {
    let text = text.utf8.span
    var (place, next) = (0, 0)
    var sum: Int128 = 0
    repeat {
      guard let number = number(text, &place), let unit = unit(text, &place, from: next),
        units[unit].nanoseconds >= precision.rawValue
      else { return nil }
      sum += Int128(number) * units[unit].nanoseconds
      guard sum < limit else { return nil }
      next = unit + 1
    } while place < text.count
    let (seconds, fraction) = sum.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(fraction) * 1_000_000_000)
  }

  /// Returns true for a text that is no duration only because its numbers are too large.
  package static func isTooLong(_ text: String, to precision: Precision = .milliseconds) -> Bool {
    var shortened: [UInt8] = []
    for byte in text.utf8 {
      let isDigit = 0x30...0x39 ~= byte
      if isDigit, let last = shortened.last, 0x30...0x39 ~= last { continue }
      shortened.append(isDigit ? UInt8(ascii: "1") : byte)
    }
    return duration(text, to: precision) == nil
      && duration(String(decoding: shortened, as: UTF8.self), to: precision) != nil
  }

  /// The first number of nanoseconds whose milliseconds are too many for their type.
  private static let limit = (Int128(Int64.max) + 1) * 1_000_000

  /// Parses digits; `nil` without any, and for a number that is too large.
  private static func number(_ text: Span<UInt8>, _ place: inout Int) -> Int64? {
    let start = place
    var number: Int64 = 0
    while place < text.count, 0x30...0x39 ~= text[place] {
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = tens.addingReportingOverflow(Int64(text[place] &- UInt8(ascii: "0")))
      if isTooLarge || isBeyond { return nil }
      number = sum
      place += 1
    }
    return place == start ? nil : number
  }

  /// Parses the name of one of the units from an index on, and returns its index.
  private static func unit(_ text: Span<UInt8>, _ place: inout Int, from first: Int) -> Int? {
    let start = place
    while place < text.count, UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[place] { place += 1 }
    for index in first..<units.count where units[index].name.utf8CodeUnitCount == place - start {
      let name = units[index].name.utf8Start
      if (start..<place).allSatisfy({ text[$0] == name[$0 - start] }) { return index }
    }
    return nil
  }

  /// Returns the shortest notation, to the nanosecond.
  package static func written(_ duration: Duration) -> String {
    var bytes: [UInt8] = []
    append(duration, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the shortest notation, to the nanosecond.
  package static func append(_ duration: Duration, to bytes: inout [UInt8]) {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = attoseconds / 1_000_000_000
    if seconds == 0 && nanoseconds == 0 { return bytes += "0s".utf8 }
    append(seconds / 86_400, "d", to: &bytes)
    append(seconds / 3600 % 24, "h", to: &bytes)
    append(seconds / 60 % 60, "m", to: &bytes)
    append(seconds % 60, "s", to: &bytes)
    append(nanoseconds / 1_000_000, "ms", to: &bytes)
    append(nanoseconds / 1000 % 1000, "us", to: &bytes)
    append(nanoseconds % 1000, "ns", to: &bytes)
  }

  /// Appends a number with its unit, unless it is 0.
  private static func append(_ number: Int64, _ unit: StaticString, to bytes: inout [UInt8]) {
    if number == 0 { return }
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    append(number.magnitude, to: &bytes)
    unit.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    if number > 9 { append(number / 10, to: &bytes) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Returns the likely meanings of a number without a unit; `nil` for any other text, and for a number too small to be
  /// intended in milliseconds.
  package static func expectation(for text: String) -> String? {
    guard let number = Int64(text), 100..<1_000_000_000 ~= number else { return nil }
    return "a duration with its unit, such as \(number)ms or \(number)s"
  }

  /// Returns the duration probably intended by a fraction, another unit name or a missing unit.
  package static func suggestion(for text: String) -> String? {
    if expectation(for: text) != nil { return nil }
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let word = text.dropFirst(digits.count).filter { $0 != " " }
    guard let number = Double(digits), let unit = words[word.lowercased()], number * Double(unit) < 1e12 else {
      return nil
    }
    return written(.milliseconds(Int64(number * Double(unit))))
  }

  /// Milliseconds per unit, by common names of units.
  private static let words: [String: Int64] = [
    "": 1_000, "ms": 1, "msec": 1, "millis": 1, "s": 1_000, "sec": 1_000, "secs": 1_000, "second": 1_000,
    "seconds": 1_000, "m": 60_000, "min": 60_000, "mins": 60_000, "minute": 60_000, "minutes": 60_000, "h": 3_600_000,
    "hr": 3_600_000, "hour": 3_600_000, "hours": 3_600_000, "d": 86_400_000, "day": 86_400_000, "days": 86_400_000,
  ]
}
