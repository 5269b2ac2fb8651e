import CivilTime

extension Reader {
  /// A moment as RFC 3339 writes it, or a date for its beginning in UTC; in microseconds since 1970.
  func moment() -> Int64? {
    let expected = "a moment such as 2026-01-01 or 2026-01-01T00:00:00+01:00"
    guard let scalar = resolved(expected: expected) else { return nil }
    guard let moment = Self.moment(scalar.text), Self.moments ~= moment else {
      refuse(expected: expected)
      return nil
    }
    return moment
  }

  private static func moment(_ text: String) -> Int64? {
    RFC3339.microseconds(of: text) ?? RFC3339.microseconds(of: text + "T00:00:00Z")
  }

  /// From 1970 until so long before the end of the calendar that no duration leads behind it.
  private static let moments: ClosedRange<Int64> = 0...4_102_444_800_000_000

  /// A time since a moment: a duration, or another moment behind it.
  func time(since start: Int64) -> Duration? {
    guard let text = node.scalar?.text, RFC3339.microseconds(of: text) != nil, let moment = moment() else {
      return duration(to: .nanoseconds)
    }
    guard start...start + 3_153_600_000_000_000 ~= moment else {
      problems.error(
        "this is before the test begins, at \(RFC3339.text(microseconds: start)), or 100 years behind that; \"start\" "
          + "says when that is", at: node)
      return nil
    }
    return .microseconds(moment - start)
  }
}
