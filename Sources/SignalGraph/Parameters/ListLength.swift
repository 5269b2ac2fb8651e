/// The length of a list: a number of values, or a period of the calendar.
enum ListLength: ParameterValue {
  case values(Int)
  case period(CalendarPeriod)

  var count: Int? {
    if case .values(let count) = self { count } else { nil }
  }

  var period: CalendarPeriod? {
    if case .period(let period) = self { period } else { nil }
  }

  static var typeName: String { "an integer, \(CalendarPeriod.typeName)" }
  static var shape: ParameterShape { .integerOrText }
  var defaultText: String? { nil }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> ListLength? {
    if node.scalar == nil { reading.reader(node).refuse(expected: typeName) }
    guard node.scalar != nil, let text = reading.reader(node).text() else { return nil }
    if Double(text) != nil { return Int.read(node, reading).map { .values($0) } }
    return CalendarPeriod.read(node, reading).map { .period($0) }
  }
}
