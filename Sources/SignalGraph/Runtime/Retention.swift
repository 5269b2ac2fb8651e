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
    /// When it came; kept where values are let go by their age.
    let instant: Instant

    /// - Parameter instant: When it came; of no matter for a value that is not retained.
    package init(sequence: UInt64, payload: Payload, instant: Instant = .zero) {
      self.sequence = sequence
      self.payload = payload
      self.instant = instant
    }
  }

  /// How many values are kept at most; 0 keeps none.
  package let capacity: Int
  private let age: Duration?
  private var ring: [Entry] = []
  private var start = 0

  package static let none = Retention(capacity: 0)

  package init(capacity: Int) { self.init(RetentionPolicy(count: capacity)) }

  init(_ policy: RetentionPolicy) {
    capacity = policy.count
    age = policy.age
  }

  package var isEmpty: Bool { ring.isEmpty }
  package var count: Int { ring.count }
  package var last: Entry? { ring.isEmpty ? nil : ring[(start + ring.count - 1) % ring.count] }
  var all: [Entry] { latest(count) }

  /// The newest `count` of the kept values, oldest first.
  package func latest(_ count: Int) -> [Entry] {
    let count = min(count, ring.count)
    return (ring.count - count..<ring.count).map { ring[(start + $0) % ring.count] }
  }

  mutating func append(_ payload: Payload, sequence: UInt64, at clock: GraphClock) {
    guard capacity > 0 else { return }
    expire(at: clock.now)
    let entry = Entry(sequence: sequence, payload: payload, instant: age == nil ? .zero : clock.now)
    if ring.count < capacity {
      if start > 0 { straighten() }
      ring.append(entry)
    } else {
      ring[start] = entry
      start = (start + 1) % capacity
    }
  }

  /// Lets go of what has become too old.
  mutating func expire(at now: Instant) {
    guard let age, !ring.isEmpty else { return }
    let old = all.prefix { now - $0.instant > age }.count
    guard old > 0 else { return }
    straighten()
    ring.removeFirst(old)
  }

  /// Puts the oldest first.
  private mutating func straighten() {
    ring = all
    start = 0
  }
}
