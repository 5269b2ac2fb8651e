package import Base

/// Times of the calendar, as a parameter: one, or a list.
package struct CalendarTimes: ParameterValue {
  package let events: [CalendarEvent]

  package static var typeName: String { "a time of the calendar, or a list of them" }
  package static var shape: ParameterShape { .textOrTexts }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> CalendarTimes? {
    let readers = reading.reader(node).oneOrList()
    if readers.isEmpty { reading.reader(node).refuse(expected: typeName) }
    let events = readers.compactMap { $0.calendarEvent() }
    return events.count == readers.count && !events.isEmpty ? CalendarTimes(events: events) : nil
  }
}
