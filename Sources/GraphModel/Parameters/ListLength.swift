/// The length of a list: a number of values, or a period of the calendar.
package enum ListLength: ParameterValue {
  case values(Int)
  case period(CalendarPeriod)

  package var count: Int? {
    if case .values(let count) = self { count } else { nil }
  }

  package var period: CalendarPeriod? {
    if case .period(let period) = self { period } else { nil }
  }

  package static var typeName: String { "an integer, \(CalendarPeriod.typeName)" }
  package static var shape: ParameterShape { .integerOrText }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> ListLength? {
    if node.scalar == nil { reading.reader(node).refuse(expected: typeName) }
    if let text = node.scalar?.text, Double(text) != nil { return Int.read(node, reading).map { .values($0) } }
    guard node.scalar != nil, let text = reading.reader(node).text() else { return nil }
    if Double(text) != nil { return Int.read(node, reading).map { .values($0) } }
    return CalendarPeriod.read(node, reading).map { .period($0) }
  }
}
