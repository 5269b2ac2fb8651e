import Base

extension Reader {
  /// Reads a moment in RFC 3339 notation, or a date (its start in UTC), in microseconds since 1970.
  package func moment() -> Int64? {
    let expected = "a timestamp such as 2026-01-01 or 2026-01-01T00:00:00+01:00"
    guard let scalar = resolved(expected: expected) else { return nil }
    guard let moment = Self.moment(scalar.text), RFC3339.accepted ~= moment else {
      refuse(expected: expected)
      return nil
    }
    return moment
  }

  private static func moment(_ text: String) -> Int64? {
    RFC3339.microseconds(of: text) ?? RFC3339.microseconds(of: text + "T00:00:00Z")
  }

  /// Reads a time relative to a moment: a duration, or a later moment.
  package func time(since start: Int64) -> Duration? {
    guard let text = node.scalar?.text, RFC3339.microseconds(of: text) != nil, let moment = moment() else {
      return duration(to: .nanoseconds)
    }
    guard start...start + 3_153_600_000_000_000 ~= moment else {
      problems.error(
        "this is before the start of the test, \(RFC3339.text(microseconds: start)), or 100 years after it; \"start\" "
          + "sets it", at: node)
      return nil
    }
    return .microseconds(moment - start)
  }
}
