package import JSON

/// The last values of a signal, kept for newcomers, within a bound.
package struct Retention: Sendable {
  package struct Entry: Sendable {
    package let sequence: UInt64
    package let payload: Payload
  }

  /// How many values are kept at most; 0 keeps none.
  package let capacity: Int
  private var ring: [Entry] = []
  private var start = 0

  package static let none = Retention(capacity: 0)

  package init(capacity: Int) { self.capacity = capacity }

  package var isEmpty: Bool { ring.isEmpty }
  package var count: Int { ring.count }
  package var last: Entry? { ring.isEmpty ? nil : ring[(start + ring.count - 1) % ring.count] }

  /// The newest `count` of the kept values, oldest first.
  package func latest(_ count: Int) -> [Entry] {
    let count = min(count, ring.count)
    return (ring.count - count..<ring.count).map { ring[(start + $0) % ring.count] }
  }

  mutating func append(_ payload: Payload, sequence: UInt64) {
    guard capacity > 0 else { return }
    let entry = Entry(sequence: sequence, payload: payload)
    if ring.count < capacity {
      ring.append(entry)
    } else {
      ring[start] = entry
      start = (start + 1) % capacity
    }
  }

  mutating func removeAll() {
    ring = []
    start = 0
  }
}
