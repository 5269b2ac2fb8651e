/// Calendar times in systemd's notation: `Mon..Fri *-*-* 06:30`, `daily`, `*-*~1 12:00 Europe/Berlin`.
///
/// systemd.time(7) describes the notation, "CALENDAR EVENTS"; equal texts denote equal times here. In place of the time of
/// day, an event of the sun is accepted as well: `Mon..Fri sunrise - 30m`.
package struct CalendarEvent: Equatable, Sendable {
  /// The allowed numbers of one field of a time: any without ranges.
  struct Field: Equatable {
    var ranges: [Range] = []

    static let any = Field()
  }

  /// One number, numbers `step` apart, or without `stop` all of them to the end of the field.
  struct Range: Equatable {
    var start: Int64
    var stop: Int64?
    var step: Int64 = 0
  }

  /// The weekdays as bits, from Monday on.
  var weekdays: UInt8 = allWeekdays
  var years = Field.any
  var months = Field.any
  var days = Field.any
  /// True if days are counted from the end of the month, the last one being the first.
  var countsDaysFromEnd = false
  var hours = Field.any
  var minutes = Field.any
  /// Seconds in microseconds.
  var microseconds = Field.any
  /// The event of the sun in place of hours, minutes and seconds.
  package internal(set) var sunTime: SunTime?
  /// True if a local time that a forward clock change skips occurs at the moment of the change.
  package var runsSkippedTimes = false
  /// The name of the time zone at the end of the text, if any.
  package internal(set) var zoneName: String?

  static let allWeekdays: UInt8 = 0b111_1111

  /// The last year with events.
  static let lastYear: Int64 = 2199

  /// True if it is equal every hour, so that it needs no date.
  var isHourly: Bool {
    sunTime == nil && weekdays == Self.allWeekdays && [years, months, days, hours].allSatisfy { $0 == .any }
  }
}

// MARK: - Local time

extension CalendarEvent {
  private static let minute: Int64 = 60_000_000
  private static let day: Int64 = 1440 * minute

  /// Returns the first of its times from a local time on; both in microseconds since 1970 on the clocks of a place.
  func first(from local: Int64) -> Int64? {
    var (dayNumber, time) = local.divided(by: Self.day)
    var date = CivilDate(dayNumber: dayNumber)
    while true {
      guard let next = firstDate(from: date) else { return nil }
      if next != date { time = 0 }
      date = next
      dayNumber = date.dayNumber
      if let time = firstTime(from: time) { return dayNumber * Self.day + time }
      date = CivilDate(dayNumber: dayNumber + 1)
      time = 0
    }
  }

  /// Returns the first of its days from a date on.
  private func firstDate(from date: CivilDate) -> CivilDate? {
    var (year, month, day) = (date.year, date.month, date.day)
    while true {
      guard let nextYear = years.first(from: year), nextYear <= Self.lastYear else { return nil }
      if nextYear != year { (year, month, day) = (nextYear, 1, 1) }
      guard let nextMonth = months.first(from: month), nextMonth <= 12 else {
        (year, month, day) = (year + 1, 1, 1)
        continue
      }
      if nextMonth != month { (month, day) = (nextMonth, 1) }
      let first = CivilDate.dayNumber(year: year, month: month)
      let length = CivilDate.length(ofMonth: month, year: year)
      let days = countsDaysFromEnd ? days.countedFromEnd(ofLength: length) : days
      while let next = days.first(from: day), next <= length {
        if weekdays >> ((CivilDate.weekday(ofDay: first + next - 1) + 6) % 7) & 1 == 1 {
          return CivilDate(dayNumber: first + next - 1)
        }
        day = next + 1
      }
      (month, day) = (month + 1, 1)
    }
  }

  /// Returns the first of its times of day from one on, in microseconds since midnight.
  private func firstTime(from time: Int64) -> Int64? {
    var hour = time / (60 * Self.minute)
    var minute = time / Self.minute % 60
    var microsecond = time % Self.minute
    while let nextHour = hours.first(from: hour), nextHour < 24 {
      if nextHour != hour { (hour, minute, microsecond) = (nextHour, 0, 0) }
      while let nextMinute = minutes.first(from: minute), nextMinute < 60 {
        if nextMinute != minute { (minute, microsecond) = (nextMinute, 0) }
        if let next = microseconds.first(from: microsecond), next < Self.minute {
          return (hour * 60 + minute) * Self.minute + next
        }
        (minute, microsecond) = (minute + 1, 0)
      }
      (hour, minute, microsecond) = (hour + 1, 0, 0)
    }
    return nil
  }
}

extension CalendarEvent.Field {
  /// Returns the first of its numbers from one on.
  fileprivate func first(from number: Int64) -> Int64? {
    if ranges.isEmpty { return number }
    return ranges.lazy.compactMap { $0.first(from: number) }.min()
  }

  /// Returns the days of a month that it counts from the end.
  fileprivate func countedFromEnd(ofLength length: Int64) -> Self {
    Self(
      ranges: ranges.map { range in
        let start = length + 1 - range.start
        guard let stop = range.stop else { return .init(start: start, stop: nil, step: range.step) }
        return .init(start: length + 1 - stop, stop: start, step: range.step)
      })
  }
}

extension CalendarEvent.Range {
  fileprivate func first(from number: Int64) -> Int64? {
    if start >= number { return start }
    guard step > 0 else { return nil }
    let next = start + (number - start + step - 1) / step * step
    return stop.map { next <= $0 } ?? true ? next : nil
  }
}

// MARK: - Moments

extension CalendarEvent {
  /// Returns the first of its moments after another one; both in microseconds since 1970.
  ///
  /// A local time that a forward clock change skips does not occur, unless it is asked for; of a repeated one the first
  /// counts.
  ///
  /// - Parameter location: Where the sun rises and sets; without it, its events do not occur.
  package func next(after moment: Int64, in zone: TimeZone, at location: GeographicLocation? = nil) -> Int64? {
    if let sunTime { return location.flatMap { next(sunTime, after: moment, in: zone, at: $0) } }
    let second: Int64 = 1_000_000
    // At a change of clocks itself, the local times that it skips are still to come.
    let start = runsSkippedTimes ? moment : moment + 1
    var local = moment + 1 + zone.offset(at: start.divided(by: second).quotient) * second
    while let next = first(from: local) {
      let (seconds, rest) = next.divided(by: second)
      switch zone.meaning(ofLocal: seconds) {
      case .once(let time): return time * second + rest
      case .again(let time, _) where time * second + rest > moment: return time * second + rest
      case .never(let change, _) where runsSkippedTimes && change * second > moment: return change * second
      case .again(_, let end), .never(_, let end): local = end * second
      }
    }
    return nil
  }

  /// Returns the next moment where a repeated hour counts as another one, for hourly events.
  package func nextElapsed(after moment: Int64, in zone: TimeZone, at location: GeographicLocation? = nil) -> Int64? {
    guard isHourly else { return next(after: moment, in: zone, at: location) }
    let second: Int64 = 1_000_000
    var start = moment + 1
    while true {
      let seconds = start.divided(by: second).quotient
      let offset = zone.offset(at: seconds) * second
      guard let local = first(from: start + offset) else { return nil }
      let next = local - offset
      guard let change = zone.change(after: seconds, through: next.divided(by: second).quotient) else { return next }
      start = change * second
    }
  }

  /// Returns the last of its moments up to `end`, where `moment` is one of them.
  package func last(
    from moment: Int64, through end: Int64, in zone: TimeZone, at location: GeographicLocation? = nil
  ) -> Int64 {
    // There is one more after `low`, and none after `high`.
    var (low, high) = (moment - 1, end)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if let next = next(after: middle, in: zone, at: location), next <= end { low = middle } else { high = middle }
    }
    return next(after: low, in: zone, at: location) ?? moment
  }
}

// MARK: - The sun

extension CalendarEvent {
  /// The maximum number of days that are tried: twice a polar night, and more than the few around each allowed date.
  private static let searchedDays = 400

  private func next(_ time: SunTime, after moment: Int64, in zone: TimeZone, at location: GeographicLocation) -> Int64?
  {
    let second: Int64 = 1_000_000
    // The noon of a day may be half a day away from that of Greenwich, and the event another half.
    var day = (moment - time.offset).divided(by: Self.day).quotient - 1
    for _ in 0..<Self.searchedDays {
      defer { day += 1 }
      guard let seconds = time.event.moment(ofDay: day, at: location) else { continue }
      let local = seconds + zone.offset(at: seconds)
      let date = CivilDate(dayNumber: local.divided(by: 86_400).quotient)
      guard let next = firstDate(from: date) else { return nil }
      if next != date {
        day = max(day, next.dayNumber - 3)
      } else if seconds * second + time.offset > moment {
        return seconds * second + time.offset
      }
    }
    return nil
  }
}
