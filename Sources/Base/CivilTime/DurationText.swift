/// The notation of durations: `250ms`, `2s`, `1m30s`, `1h`, `7d`, and in tests also `1s5ms250us` and `7ns`.
package enum DurationText {
  /// The upper bound of all durations, a hundred years, so that no clock overflows.
  package static let longest = Duration.seconds(100 * 365 * 86_400)

  /// The finest unit accepted.
  package enum Precision: Int128 {
    case nanoseconds = 1
    case milliseconds = 1_000_000
  }

  private static let units: [(name: String, nanoseconds: Int128)] = [
    ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
    ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
  ]

  /// Parses whole numbers with units, from the largest to the smallest, each at most once.
  package static func duration(_ text: String, to precision: Precision = .milliseconds) -> Duration? {
    var rest = text.utf8[...]
    var next = 0
    var sum: Int128 = 0
    repeat {
      guard let part = number(&rest) else { return nil }
      let name = rest.prefix { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
      rest = rest[name.endIndex...]
      guard let unit = units[next...].firstIndex(where: { $0.name.utf8.elementsEqual(name) }),
        units[unit].nanoseconds >= precision.rawValue
      else { return nil }
      sum += Int128(part) * units[unit].nanoseconds
      guard sum / 1_000_000 <= Int64.max else { return nil }
      next = unit + 1
    } while !rest.isEmpty
    let (seconds, fraction) = sum.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(fraction) * 1_000_000_000)
  }

  /// Returns the shortest notation, to the nanosecond.
  package static func written(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    var rest = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
    guard rest != 0 else { return "0s" }
    var text = ""
    for unit in units {
      let (count, remainder) = rest.quotientAndRemainder(dividingBy: unit.nanoseconds)
      rest = remainder
      // There are fewer days in any duration than the type has numbers.
      if count != 0 { text += "\(Int64(count))\(unit.name)" }
    }
    return text
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

  /// Parses digits; `nil` without any, and for a number that is too large.
  private static func number(_ rest: inout Substring.UTF8View) -> Int64? {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    if digits.isEmpty { return nil }
    rest = rest[digits.endIndex...]
    var number: Int64 = 0
    for digit in digits {
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = tens.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      if isTooLarge || isBeyond { return nil }
      number = sum
    }
    return number
  }
}
