import Base

/// The time of a recorded event: a calendar time, or a time since the start.
package enum RecordedTime: Equatable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  case moment(microseconds: Int64)
  case sinceStart(Duration)

  /// Reads RFC 3339 such as `2026-05-01T12:00:00.25Z`, or a duration such as `1m30s`, of 100 years at most.
  package init?(_ text: String) {
    if let microseconds = RFC3339.microseconds(of: text) {
      self = .moment(microseconds: microseconds)
    } else if let duration = DurationText.duration(text), duration <= DurationText.longest {
      self = .sinceStart(duration)
    } else {
      return nil
    }
  }

  /// The time since the zero of its kind: 1970, or the start.
  package var duration: Duration {
    switch self {
    case .moment(let microseconds): .microseconds(microseconds)
    case .sinceStart(let duration): duration
    }
  }

  /// The sort key among times of one kind.
  package var sortKey: Duration { duration }

  /// Returns true if both are calendar times, or both are times since the start.
  package func isComparable(to other: RecordedTime) -> Bool {
    switch (self, other) {
    case (.moment, .moment), (.sinceStart, .sinceStart): true
    default: false
    }
  }

  /// Returns a later time of the same kind.
  package func later(by duration: Duration) -> RecordedTime {
    switch self {
    case .moment(let microseconds): .moment(microseconds: microseconds + duration.wholeMicroseconds)
    case .sinceStart(let start): .sinceStart(start + duration)
    }
  }
}

extension RecordedTime: CustomStringConvertible {
  /// RFC 3339 in UTC with microseconds, or a duration to the millisecond, as accepted by the initializer.
  package var description: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the description.
  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .sinceStart(let duration): DurationText.append(duration, to: &bytes)
    case .moment(let microseconds): RFC3339.append(microseconds: microseconds, to: &bytes)
    }
  }
}
