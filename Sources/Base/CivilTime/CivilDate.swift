/// A date of the proleptic Gregorian calendar.
package struct CivilDate: Equatable, Sendable {
  package let year: Int64
  /// From 1 to 12.
  package let month: Int64
  /// From 1.
  package let day: Int64

  // The year is taken to begin in March, so that a leap day is its last, and eras have 400 years (146,097 days): Howard
  // Hinnant, "chrono-Compatible Low-Level Date Algorithms". 1970-01-01 is day 719,468 of era 0.

  /// Creates the date of a day number, counted from 1970-01-01.
  package init(dayNumber: Int64) {
    let (era, dayOfEra) = (dayNumber + 719_468).divided(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
  }

  /// Creates a date from its parts; `nil` if the calendar does not have it.
  package init?(year: Int64, month: Int64, day: Int64) {
    guard 1...12 ~= month, 1...31 ~= day else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    if CivilDate(dayNumber: dayNumber) != self { return nil }
  }

  /// The number of days since 1970-01-01.
  package var dayNumber: Int64 { Self.dayNumber(year: year, month: month) + day - 1 }

  /// Returns the number of days from 1970-01-01 to the first day of a month.
  static func dayNumber(year: Int64, month: Int64) -> Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).divided(by: 400)
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func length(ofMonth month: Int64, year: Int64) -> Int64 {
    dayNumber(year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1)
      - dayNumber(year: year, month: month)
  }

  /// Returns the weekday of a day number counted from 1970-01-01: 0 is Sunday.
  static func weekday(ofDay dayNumber: Int64) -> Int64 { (dayNumber + 4).divided(by: 7).remainder }
}

extension Int64 {
  /// Returns the quotient, rounded down, and the remainder, which is never negative.
  func divided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
