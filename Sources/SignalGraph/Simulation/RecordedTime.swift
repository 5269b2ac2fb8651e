import Glibc

/// When something happened that was recorded: a moment of the calendar, or a time since the start.
package enum RecordedTime: Equatable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  case moment(microseconds: Int64)
  case sinceStart(Duration)

  /// Reads RFC 3339 such as `2026-05-01T12:00:00.25Z`, or a duration such as `1m30s`, of 100 years at most.
  package init?(_ text: String) {
    if let duration = DurationText.duration(text), duration <= DurationText.longest {
      self = .sinceStart(duration)
    } else if let microseconds = Self.microseconds(text) {
      self = .moment(microseconds: microseconds)
    } else {
      return nil
    }
  }

  /// The time since the 0 of its own kind: 1970, or the start.
  var duration: Duration {
    switch self {
    case .moment(let microseconds): .microseconds(microseconds)
    case .sinceStart(let duration): duration
    }
  }

  /// What times of one kind are sorted by.
  package var sortKey: Duration { duration }

  /// Whether both are moments, or both times since the start.
  func isComparable(to other: RecordedTime) -> Bool {
    switch (self, other) {
    case (.moment, .moment), (.sinceStart, .sinceStart): true
    default: false
    }
  }

  /// A time of the same kind.
  func later(by duration: Duration) -> RecordedTime {
    switch self {
    case .moment(let microseconds): .moment(microseconds: microseconds + duration.wholeMicroseconds)
    case .sinceStart(let start): .sinceStart(start + duration)
    }
  }

  // MARK: RFC 3339

  private static func microseconds(_ text: String) -> Int64? {
    var rest = text.utf8[...]
    guard let year = digits(&rest, 4), skip("-", &rest), let month = digits(&rest, 2), skip("-", &rest),
      let day = digits(&rest, 2), skip("Tt ", &rest), let hour = digits(&rest, 2), skip(":", &rest),
      let minute = digits(&rest, 2), skip(":", &rest), let second = digits(&rest, 2),
      let fraction = fraction(&rest), let offset = offset(&rest), rest.isEmpty,
      1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
    else { return nil }
    var fields = tm()
    (fields.tm_year, fields.tm_mon, fields.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    (fields.tm_hour, fields.tm_min, fields.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    let seconds = Int64(timegm(&fields))
    // The C library makes 1 March of 30 February.
    guard fields.tm_mday == Int32(day) || second == 60 else { return nil }
    return (seconds - offset) * 1_000_000 + fraction
  }

  private static func digits(_ rest: inout Substring.UTF8View, _ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    rest = rest.dropFirst(count)
    return Int(Substring(digits))
  }

  private static func skip(_ characters: String, _ rest: inout Substring.UTF8View) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Microseconds; what is finer is cut off.
  private static func fraction(_ rest: inout Substring.UTF8View) -> Int64? {
    guard skip(".", &rest) else { return 0 }
    let digits = rest.prefix { 0x30...0x39 ~= $0 }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    let six = digits.prefix(6)
    return Int64(String(Substring(six)) + String(repeating: "0", count: 6 - six.count))
  }

  /// Seconds east of UTC.
  private static func offset(_ rest: inout Substring.UTF8View) -> Int64? {
    if skip("Zz", &rest) { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+-", &rest), let hours = digits(&rest, 2), skip(":", &rest), let minutes = digits(&rest, 2),
      hours < 24, minutes < 60
    else { return nil }
    return Int64(hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }
}

extension RecordedTime: CustomStringConvertible {
  /// As it can be read again: RFC 3339 in UTC with microseconds, or a duration to the millisecond.
  package var description: String {
    switch self {
    case .sinceStart(let duration): return DurationText.written(duration)
    case .moment(let microseconds):
      var seconds = time_t((Double(microseconds) / 1e6).rounded(.down))
      let fraction = microseconds - Int64(seconds) * 1_000_000
      var fields = tm()
      gmtime_r(&seconds, &fields)
      let date = "\(padded(fields.tm_year + 1900, 4))-\(padded(fields.tm_mon + 1, 2))-\(padded(fields.tm_mday, 2))"
      let time = "\(padded(fields.tm_hour, 2)):\(padded(fields.tm_min, 2)):\(padded(fields.tm_sec, 2))"
      return "\(date)T\(time).\(padded(fraction, 6))Z"
    }
  }

  private func padded(_ number: some BinaryInteger, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Duration {
  fileprivate var wholeMicroseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
