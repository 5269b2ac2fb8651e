/// Durations as a person writes them: `250ms`, `2s`, `1m30s`, `1h`, `7d`.
package enum DurationText {
  /// Bounds every duration, so that no clock overflows: a hundred years.
  package static let longest = Duration.seconds(100 * 365 * 86_400)

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]

  /// Whole numbers with their units, from the largest to the smallest, each at most once.
  package static func duration(_ text: String) -> Duration? {
    var rest = text.utf8[...]
    var units = units[...]
    var sum: Int64 = 0
    repeat {
      guard let part = number(&rest) else { return nil }
      let name = rest.prefix { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
      rest = rest[name.endIndex...]
      guard let unit = units.firstIndex(where: { $0.name == String(name) }) else { return nil }
      let (product, isTooLong) = part.multipliedReportingOverflow(by: units[unit].milliseconds)
      let (total, isSumTooLong) = sum.addingReportingOverflow(product)
      guard !isTooLong, !isSumTooLong else { return nil }
      sum = total
      units = units[(unit + 1)...]
    } while !rest.isEmpty
    return .milliseconds(sum)
  }

  /// The shortest writing, to the millisecond.
  package static func written(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    var rest = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    guard rest != 0 else { return "0s" }
    var text = ""
    for unit in units where rest / unit.milliseconds != 0 {
      text += "\(rest / unit.milliseconds)\(unit.name)"
      rest %= unit.milliseconds
    }
    return text
  }

  /// The duration that was probably meant by one with a fraction, with another word for its unit, or with none.
  static func suggestion(for text: String) -> String? {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let word = text.dropFirst(digits.count).filter { $0 != " " }
    guard let number = Double(digits), let unit = words[word.lowercased()], number * Double(unit) < 1e12 else {
      return nil
    }
    return written(.milliseconds(Int64(number * Double(unit))))
  }

  /// Milliseconds of the units by the names that people give them.
  private static let words: [String: Int64] = [
    "": 1_000, "ms": 1, "msec": 1, "millis": 1, "s": 1_000, "sec": 1_000, "secs": 1_000, "second": 1_000,
    "seconds": 1_000, "m": 60_000, "min": 60_000, "mins": 60_000, "minute": 60_000, "minutes": 60_000, "h": 3_600_000,
    "hr": 3_600_000, "hour": 3_600_000, "hours": 3_600_000, "d": 86_400_000, "day": 86_400_000, "days": 86_400_000,
  ]

  private static func number(_ rest: inout Substring.UTF8View) -> Int64? {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    rest = rest[digits.endIndex...]
    return Int64(String(digits) ?? "")
  }
}
