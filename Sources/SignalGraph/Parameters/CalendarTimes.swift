import Base

/// Times of the calendar, as a parameter: one, or a list.
struct CalendarTimes: ParameterValue {
  let events: [CalendarEvent]

  static var typeName: String { "a time of the calendar, or a list of them" }
  static var shape: ParameterShape { .textOrTexts }
  var defaultText: String? { nil }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> CalendarTimes? {
    let readers = reading.reader(node).oneOrList()
    if readers.isEmpty { reading.reader(node).refuse(expected: typeName) }
    let events = readers.compactMap { $0.calendarEvent() }
    return events.count == readers.count && !events.isEmpty ? CalendarTimes(events: events) : nil
  }
}
