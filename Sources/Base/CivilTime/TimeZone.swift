/// The local time of a place, with all its rules: offsets from UTC, and when they change.
package struct TimeZone: Sendable {
  /// The moments of the changes of the offset, in seconds since 1970, ascending.
  private let transitions: [Int64]
  /// The offset after each of them, in seconds east of UTC.
  private let offsets: [Int64]
  /// The name of the local time after each of them, such as `CEST`.
  private let names: [String]
  /// The offset before the first.
  private let firstOffset: Int64
  private let firstName: String
  /// The rule for the time after the last; `nil` without further changes.
  private let rule: TimeZoneRule?

  package static let utc = TimeZone(
    transitions: [], offsets: [], names: [], firstOffset: 0, firstName: "UTC", rule: nil)

  /// - Parameter names: The names of the local time, one for each offset.
  init(
    transitions: [Int64], offsets: [Int64], names: [String], firstOffset: Int64, firstName: String, rule: TimeZoneRule?
  ) {
    self.transitions = transitions
    self.offsets = offsets
    self.names = names
    self.firstOffset = firstOffset
    self.firstName = firstName
    // A rule that changes nothing is dropped: UTC is one zone, by all of its names.
    let changesNothing = rule?.daylight == nil && rule?.standard == offsets.last ?? firstOffset
    self.rule = changesNothing ? nil : rule
  }

  /// Returns seconds east of UTC at a moment, in seconds since 1970.
  package func offset(at moment: Int64) -> Int64 {
    guard let last = transitions.last, moment < last else {
      return rule?.offset(at: moment) ?? offsets.last ?? firstOffset
    }
    let count = transitions(through: moment)
    return count == 0 ? firstOffset : offsets[count - 1]
  }

  /// Returns the name of the local time at a moment, in seconds since 1970, such as `CEST`.
  package func name(at moment: Int64) -> String {
    guard let last = transitions.last, moment < last else {
      return rule?.name(at: moment) ?? names.last ?? firstName
    }
    let count = transitions(through: moment)
    return count == 0 ? firstName : names[count - 1]
  }

  /// Returns the number of transitions up to a moment.
  private func transitions(through moment: Int64) -> Int { transitions.partitioningIndex { $0 > moment } }

  /// Returns the first moment after `start`, up to `end`, with another offset than at `start`.
  ///
  /// The two are so close that there is at most one change between them.
  func change(after start: Int64, through end: Int64) -> Int64? {
    let offset = offset(at: start)
    guard self.offset(at: end) != offset else { return nil }
    var (low, high) = (start, end)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.offset(at: middle) == offset { low = middle } else { high = middle }
    }
    return high
  }
}

extension TimeZone {
  /// A hash of all that it consists of, which is the same in every process.
  package var digest: UInt64 {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(self)".utf8 { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return digest
  }
}

/// Zones are equal if their clocks show the same time, by whatever names.
extension TimeZone: Equatable {
  package static func == (one: TimeZone, other: TimeZone) -> Bool {
    one.transitions == other.transitions && one.offsets == other.offsets && one.firstOffset == other.firstOffset
      && one.rule == other.rule
  }
}

// MARK: - Local time

extension TimeZone {
  /// The moment of a local time.
  ///
  /// Both are in seconds since 1970, the local time on the clocks of the place.
  enum LocalTime: Equatable {
    case once(at: Int64)
    /// Clocks were set back: the time is repeated, and the first occurrence counts. Clocks show `end` before that.
    case again(at: Int64, end: Int64)
    /// Clocks were set forward past it, at the moment `change`, to `end`.
    case never(change: Int64, end: Int64)
  }

  /// More than any offset, and less than the time between two changes.
  private static let reach: Int64 = 26 * 3600

  /// Returns the moment of a local time, both in seconds since 1970: the first one of a repeated time, and by the offset
  /// before where clocks were set forward past it.
  package func moment(ofLocal local: Int64) -> Int64 {
    switch meaning(ofLocal: local) {
    case .once(let moment), .again(let moment, _): moment
    case .never(let change, _): local - offset(at: change - 1)
    }
  }

  func meaning(ofLocal local: Int64) -> LocalTime {
    let (early, late) = (local - Self.reach, local + Self.reach)
    guard let change = change(after: early, through: late) else { return .once(at: local - offset(at: early)) }
    let (before, after) = (offset(at: early), offset(at: change))
    switch (local - before < change, local - after >= change) {
    case (true, true): return .again(at: local - before, end: change + before)
    case (true, false): return .once(at: local - before)
    case (false, true): return .once(at: local - after)
    case (false, false): return .never(change: change, end: change + after)
    }
  }
}
