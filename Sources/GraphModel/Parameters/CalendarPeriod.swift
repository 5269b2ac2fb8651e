package import Base

/// Consecutive spans of the calendar, separated by the times of `event`.
package struct CalendarPeriod: ParameterValue {
  package let event: CalendarEvent

  package static var typeName: String {
    "one of \(words.map(\.word).joined(separator: ", ")), or a time of the calendar"
  }
  package static var shape: ParameterShape { .text }
  package var defaultText: String? { nil }

  private static let words: [(word: String, event: String)] = [
    ("minute", "minutely"), ("hour", "hourly"), ("day", "daily"), ("week", "weekly"),
    ("month", "monthly"), ("quarter", "quarterly"), ("year", "yearly"),
  ]

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> CalendarPeriod? {
    let meanings = Dictionary(uniqueKeysWithValues: words.map { ($0.word, $0.event) })
    return reading.reader(node).calendarEvent(meanings).map(CalendarPeriod.init)
  }
}
