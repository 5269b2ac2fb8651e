internal import JSON

/// A moment, written as RFC 3339 in UTC with microseconds.
package struct Timestamp: Sendable, Equatable {
  /// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted; from year 0 to 9999.
  package let microseconds: Int64

  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// As RFC 3339 writes it.
  package var text: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self)
  }

  func write(to writer: inout JSONWriter) {
    let (days, inDay) = Self.divide(microseconds, by: 86_400_000_000)
    let (year, month, day) = Self.date(ofDay: days)
    writer.write(literal: "\"")
    writer.write(padded: year, to: 4)
    writer.write(literal: "-")
    writer.write(padded: month, to: 2)
    writer.write(literal: "-")
    writer.write(padded: day, to: 2)
    writer.write(literal: "T")
    writer.write(padded: inDay / 3_600_000_000, to: 2)
    writer.write(literal: ":")
    writer.write(padded: inDay / 60_000_000 % 60, to: 2)
    writer.write(literal: ":")
    writer.write(padded: inDay / 1_000_000 % 60, to: 2)
    writer.write(literal: ".")
    writer.write(padded: inDay % 1_000_000, to: 6)
    writer.write(literal: "Z\"")
  }

  /// The date of a day counted from 1970-01-01, in the Gregorian calendar.
  ///
  /// The year is taken to begin in March, so that a leap day is its last, and eras have 400 years (146,097 days).
  private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = divide(day + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// Quotient and remainder, rounded down.
  private static func divide(_ dividend: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension JSONWriter {
  fileprivate mutating func write(padded number: Int64, to digits: Int) {
    var least: Int64 = 10
    for _ in 1..<digits {
      if number < least { write(literal: "0") }
      least *= 10
    }
    write(number)
  }
}
