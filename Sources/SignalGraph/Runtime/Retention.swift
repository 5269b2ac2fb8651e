package import JSON
package import ReactiveCore

/// How many values of a signal are kept for newcomers, and for how long.
struct RetentionPolicy: Sendable, Equatable {
  /// 0 keeps none.
  var count = 0
  /// Older ones are let go.
  var age: Duration?
}

/// The last values of a signal, kept for newcomers, within a bound.
package struct Retention: Sendable {
  package struct Entry: Sendable {
    package let sequence: UInt64
    package let payload: Payload
    /// When it came, in microseconds since 1970.
    package let time: Int64
    /// The same by the graphs' clock; kept where values are let go by their age.
    let instant: Instant

    /// - Parameter instant: When it came by the graphs' clock; of no matter for a value that is not retained.
    package init(sequence: UInt64, payload: Payload, time: Int64, instant: Instant = .zero) {
      self.sequence = sequence
      self.payload = payload
      self.time = time
      self.instant = instant
    }
  }

  /// How many values are kept at most; 0 keeps none.
  package let capacity: Int
  private let age: Duration?
  /// The values in a circle, which grows as it fills; `nil` where there is room.
  private var ring: [Entry?] = []
  /// Where the oldest stands.
  private var start = 0
  package private(set) var count = 0

  package static let none = Retention(capacity: 0)

  package init(capacity: Int) { self.init(RetentionPolicy(count: capacity)) }

  init(_ policy: RetentionPolicy) {
    capacity = policy.count
    age = policy.age
  }

  package var isEmpty: Bool { count == 0 }
  /// Whether the newest value is kept until another comes.
  var keepsNewest: Bool { capacity > 0 && age == nil }
  package var last: Entry? { isEmpty ? nil : ring[place(count - 1)] }
  var all: [Entry] { latest(count) }

  /// The newest `count` of the kept values, oldest first.
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

  /// Lets go of what has become too old.
  mutating func expire(at now: Instant) {
    guard let age else { return }
    while count > 0, let oldest = ring[start], now - oldest.instant > age { dropOldest() }
    if ring.count > Self.smallest, count < ring.count / 4 { makeRoom(for: 2 * count) }
  }

  /// A circle that is not worth making smaller.
  private static let smallest = 64

  /// The same for a clock that is so much ahead of the one by which the values came.
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

  /// Moves to a circle of another size, so seldom that it costs each value the same.
  private mutating func makeRoom(for size: Int) {
    let size = min(size, capacity)
    ring = all + Array(repeating: nil, count: size - count)
    start = 0
  }
}

// MARK: - Saving

extension Retention {
  func store(in writer: inout StateWriter) {
    capacity.store(in: &writer)
    age.store(in: &writer)
    all.store(in: &writer)
  }

  mutating func restore(from reader: inout StateReader) throws(StateError) {
    let capacity = try Int(from: &reader)
    self = Retention(RetentionPolicy(count: capacity, age: try Duration?(from: &reader)))
    let entries = try [Entry](from: &reader)
    guard capacity >= entries.count else { throw StateError("more values are retained than may be") }
    for entry in entries { insert(entry) }
  }
}

extension Retention.Entry: Storable {
  package func store(in writer: inout StateWriter) {
    sequence.store(in: &writer)
    payload.store(in: &writer)
    time.store(in: &writer)
    instant.store(in: &writer)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    self.init(
      sequence: try UInt64(from: &reader), payload: try Payload(from: &reader), time: try Int64(from: &reader),
      instant: try Instant(from: &reader))
  }
}
