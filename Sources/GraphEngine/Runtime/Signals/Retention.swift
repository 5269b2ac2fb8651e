import GraphModel
package import JSON
package import Signals

/// The last values of a signal, kept for new subscribers, within a bound.
package struct Retention: Sendable {
  package struct Entry: Sendable {
    package let sequence: UInt64
    package let payload: Payload
    /// The time of the value, in microseconds since 1970.
    package let time: Int64
    /// The time by the graphs' clock, kept if values are removed by age.
    let instant: Instant

    /// - Parameter instant: The time by the graphs' clock; irrelevant for a value that is not retained.
    package init(sequence: UInt64, payload: Payload, time: Int64, instant: Instant = .zero) {
      self.sequence = sequence
      self.payload = payload
      self.time = time
      self.instant = instant
    }
  }

  /// The greatest number of values; 0 keeps no values.
  package let capacity: Int
  private let age: Duration?
  /// The values in a ring buffer, which grows as it fills; `nil` in free slots.
  private var ring: [Entry?] = []
  /// The index of the oldest value.
  private var start = 0
  package private(set) var count = 0

  package static let none = Retention(capacity: 0)

  package init(capacity: Int) { self.init(RetentionPolicy(count: capacity)) }

  init(_ policy: RetentionPolicy) {
    capacity = policy.count
    age = policy.age
  }

  package var isEmpty: Bool { count == 0 }
  /// True if the newest value is kept until the next one.
  var keepsNewest: Bool { capacity > 0 && age == nil }
  package var last: Entry? { isEmpty ? nil : ring[place(count - 1)] }
  var all: [Entry] { latest(count) }

  /// Returns the newest `count` of the kept values, oldest first.
  package func latest(_ count: Int) -> [Entry] {
    (self.count - min(count, self.count)..<self.count).compactMap { ring[place($0)] }
  }

  mutating func append(_ payload: Payload, sequence: UInt64, at clock: GraphClock) {
    guard capacity > 0 else { return }
    expire(at: clock.now)
    insert(
      Entry(
        sequence: sequence, payload: payload, time: clock.microseconds, instant: age == nil ? .zero : clock.now))
  }

  private mutating func insert(_ entry: Entry) {
    if count == capacity { dropOldest() } else if count == ring.count { makeRoom(for: max(4, 2 * count)) }
    ring[place(count)] = entry
    count += 1
  }

  /// Removes the values that have become too old.
  mutating func expire(at now: Instant) {
    guard let age else { return }
    while count > 0, let oldest = ring[start], now - oldest.instant > age { dropOldest() }
    if ring.count > Self.smallest, count < ring.count / 4 { makeRoom(for: 2 * count) }
  }

  /// The size that a ring buffer must exceed to be shrunk.
  private static let smallest = 64

  /// Returns the values as for a clock that is ahead of theirs by a duration.
  func moved(by ahead: Duration) -> Retention {
    guard age != nil else { return self }
    var moved = self
    moved.ring = ring.map { entry in
      entry.map {
        Entry(sequence: $0.sequence, payload: $0.payload, time: $0.time, instant: $0.instant + ahead)
      }
    }
    return moved
  }

  private func place(_ index: Int) -> Int {
    let place = start + index
    return place < ring.count ? place : place - ring.count
  }

  private mutating func dropOldest() {
    ring[start] = nil
    start = place(1)
    count -= 1
  }

  /// Moves to a ring buffer of another size, so seldom that the cost per value is constant.
  private mutating func makeRoom(for size: Int) {
    let size = min(size, capacity)
    ring = all + Array(repeating: nil, count: size - count)
    start = 0
  }
}

// MARK: - Saving

extension Retention: StateFields {
  package mutating func code(_ field: inout StateCoder<Self>) throws(StateError) {
    let (capacity, age) = (try field(\.capacity), try field(\.age))
    try field(\.all) { (entries) throws(StateError) in
      guard capacity >= entries.count else { throw StateError("too many retained values") }
      self = Retention(RetentionPolicy(count: capacity, age: age))
      for entry in entries { insert(entry) }
    }
  }
}

extension Retention.Entry: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    sequence.encode(to: &writer)
    payload.encode(to: &writer)
    time.encode(to: &writer)
    instant.encode(to: &writer)
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    self.init(
      sequence: try UInt64(from: &reader), payload: try Payload(from: &reader), time: try Int64(from: &reader),
      instant: try Instant(from: &reader))
  }
}
