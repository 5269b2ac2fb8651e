/// The rule for the future of a time zone, in POSIX's notation: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct TimeZoneRule: Sendable {
  /// A day of each year and a time on it.
  struct Date: Equatable {
    enum Day: Equatable {
      /// From 1; a leap day is not counted.
      case julian(Int64)
      /// From 0; a leap day is counted.
      case ordinal(Int64)
      /// The fifth week is the last.
      case weekday(Int64, week: Int64, month: Int64)
    }

    let day: Day
    /// Seconds since midnight; it may be on another day.
    let time: Int64
  }

  /// Seconds east of UTC.
  let standard: Int64
  private let standardName: String
  /// The other offset, with its beginning and end.
  let daylight: Daylight?
  private let daylightName: String

  struct Daylight: Equatable {
    let offset: Int64
    let start: Date
    let end: Date
  }

  /// Returns seconds east of UTC at a moment, in seconds since 1970.
  func offset(at moment: Int64) -> Int64 {
    if let daylight, isDaylight(at: moment) { daylight.offset } else { standard }
  }

  /// Returns the name of the local time at a moment, in seconds since 1970.
  func name(at moment: Int64) -> String { isDaylight(at: moment) ? daylightName : standardName }

  private func isDaylight(at moment: Int64) -> Bool {
    guard let daylight else { return false }
    let year = CivilDate(dayNumber: (moment + standard).divided(by: 86_400).quotient).year
    let start = daylight.start.seconds(in: year) - standard
    let end = daylight.end.seconds(in: year) - daylight.offset
    return start < end ? start <= moment && moment < end : !(end <= moment && moment < start)
  }
}

/// Rules are equal if they give the same offsets, by whatever names.
extension TimeZoneRule: Equatable {
  static func == (one: TimeZoneRule, other: TimeZoneRule) -> Bool {
    one.standard == other.standard && one.daylight == other.daylight
  }
}

extension TimeZoneRule.Date {
  /// Returns seconds since 1970 in local time.
  func seconds(in year: Int64) -> Int64 { dayNumber(in: year) * 86_400 + time }

  private func dayNumber(in year: Int64) -> Int64 {
    let first = CivilDate.dayNumber(year: year, month: 1)
    switch day {
    case .ordinal(let number): return first + number
    case .julian(let number):
      let hasLeapDay = CivilDate.dayNumber(year: year, month: 3) - first == 60
      return first + number - 1 + (hasLeapDay && number >= 60 ? 1 : 0)
    case .weekday(let weekday, let week, let month):
      let first = CivilDate.dayNumber(year: year, month: month)
      let length = CivilDate.length(ofMonth: month, year: year)
      let day = (weekday - CivilDate.weekday(ofDay: first) + 7) % 7 + (week - 1) * 7
      return first + (day < length ? day : day - 7)
    }
  }
}

// MARK: - Reading

extension TimeZone {
  /// Parses a rule such as the value of TZ; `nil` for an invalid one.
  package init?(rule text: String) {
    guard let rule = TimeZoneRule(text.utf8) else { return nil }
    self.init(
      transitions: [], offsets: [], names: [], firstOffset: rule.standard, firstName: rule.name(at: 0), rule: rule)
  }
}

extension TimeZoneRule {
  /// Parses a rule; `nil` for an invalid one.
  init?(_ text: some Sequence<UInt8>) {
    var scanner = RuleScanner(rest: Array(text)[...])
    guard let name = scanner.name(), let west = scanner.offset() else { return nil }
    (standard, standardName) = (-west, name)
    if scanner.rest.isEmpty {
      (daylight, daylightName) = (nil, name)
      return
    }
    guard let otherName = scanner.name() else { return nil }
    daylightName = otherName
    let daylightWest = scanner.rest.first == UInt8(ascii: ",") ? west - 3600 : scanner.offset()
    guard let daylightWest, let start = scanner.date(), let end = scanner.date(), scanner.rest.isEmpty else {
      return nil
    }
    daylight = Daylight(offset: -daylightWest, start: start, end: end)
  }
}

private struct RuleScanner {
  var rest: ArraySlice<UInt8>

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Reads a name: letters, or anything in angle brackets.
  mutating func name() -> String? {
    let isQuoted = skip("<")
    let name = rest.prefix { isQuoted ? $0 != UInt8(ascii: ">") : 0x61...0x7A ~= $0 | 0x20 }
    rest = rest.dropFirst(name.count)
    guard isQuoted ? skip(">") : name.count >= 3 else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func number() -> Int64? {
    let digits = rest.prefix { 0x30...0x39 ~= $0 }
    guard 1...4 ~= digits.count else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// Parses `[+-]hh[:mm[:ss]]`, in seconds.
  mutating func offset() -> Int64? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hours = number() else { return nil }
    var seconds = hours * 3600
    for unit in [Int64(60), 1] where skip(":") {
      guard let part = number() else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  mutating func date() -> TimeZoneRule.Date? {
    guard skip(","), let day = day() else { return nil }
    guard skip("/") else { return TimeZoneRule.Date(day: day, time: 7200) }
    return offset().map { TimeZoneRule.Date(day: day, time: $0) }
  }

  private mutating func day() -> TimeZoneRule.Date.Day? {
    if skip("J") { return number().flatMap { 1...365 ~= $0 ? .julian($0) : nil } }
    guard skip("M") else { return number().flatMap { 0...365 ~= $0 ? .ordinal($0) : nil } }
    guard let month = number(), skip("."), let week = number(), skip("."), let weekday = number(), 1...12 ~= month,
      1...5 ~= week, 0...6 ~= weekday
    else { return nil }
    return .weekday(weekday, week: week, month: month)
  }
}
