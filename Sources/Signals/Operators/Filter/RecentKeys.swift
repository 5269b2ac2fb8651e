/// Keys ordered by last use, within a bound of number or age.
///
/// A linked list in an array, so that using a key again takes constant time.
@usableFromInline package struct RecentKeys<Key: Hashable> {
  @usableFromInline struct Entry {
    @usableFromInline let key: Key
    @usableFromInline var seen: Instant
    @usableFromInline var older: Int?
    @usableFromInline var newer: Int?

    @inlinable init(key: Key, seen: Instant) {
      self.key = key
      self.seen = seen
    }
  }

  @usableFromInline let limit: Int
  @usableFromInline let idle: Duration?
  @usableFromInline var places: [Key: Int] = [:]
  @usableFromInline var entries: [Entry?] = []
  @usableFromInline var free: [Int] = []
  @usableFromInline var oldest: Int?
  @usableFromInline var newest: Int?

  /// - Parameters:
  ///   - limit: The number of keys at which `isFull` is true.
  ///   - idle: The time after which an unused key is forgotten; nil: never.
  @inlinable package init(limit: Int = .max, idle: Duration?) {
    self.limit = limit
    self.idle = idle
  }

  @inlinable package var isFull: Bool { places.count >= limit }

  /// Marks a key as the one used last; false if it is unknown.
  @inlinable package mutating func touch(_ key: Key, at now: Instant) -> Bool {
    forgetIdle(at: now)
    guard let place = places[key] else { return false }
    unlink(place)
    link(place, at: now)
    return true
  }

  /// Adds an unknown key.
  @inlinable package mutating func insert(_ key: Key, at now: Instant) {
    let place = free.popLast() ?? entries.count
    let entry = Entry(key: key, seen: now)
    if place == entries.count { entries.append(entry) } else { entries[place] = entry }
    places[key] = place
    link(place, at: now)
  }

  /// Removes the key longest unused.
  @inlinable package mutating func removeOldest() {
    guard let place = oldest, let key = entries[place]?.key else { return }
    unlink(place)
    entries[place] = nil
    free.append(place)
    places[key] = nil
  }

  /// The keys with the times of their last use, the one longest unused first.
  package var inOrder: [(key: Key, seen: Instant)] {
    var order: [(key: Key, seen: Instant)] = []
    var next = oldest
    while let place = next, let entry = entries[place] {
      order.append((entry.key, entry.seen))
      next = entry.newer
    }
    return order
  }

  @inlinable mutating func forgetIdle(at now: Instant) {
    guard let idle else { return }
    while let oldest, let entry = entries[oldest], entry.seen + idle <= now { removeOldest() }
  }

  @inlinable mutating func link(_ place: Int, at now: Instant) {
    entries[place]?.seen = now
    entries[place]?.older = newest
    entries[place]?.newer = nil
    if let newest { entries[newest]?.newer = place }
    newest = place
    if oldest == nil { oldest = place }
  }

  @inlinable mutating func unlink(_ place: Int) {
    guard let entry = entries[place] else { return }
    if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
    if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
  }
}

extension RecentKeys: StateCodable where Key: StateCodable {
  package func encode(to writer: inout StateEncoder) {
    limit.encode(to: &writer)
    idle.encode(to: &writer)
    let order = inOrder
    writer.count(order.count)
    for (key, seen) in order {
      key.encode(to: &writer)
      seen.encode(to: &writer)
    }
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    self.init(limit: try Int(from: &reader), idle: try Duration?(from: &reader))
    for _ in 0..<(try reader.count()) { insert(try Key(from: &reader), at: try Instant(from: &reader)) }
  }
}

/// Reflected as its keys alone, the one longest unused first: the order of its table differs between processes.
extension RecentKeys: CustomReflectable {
  @usableFromInline package var customMirror: Mirror { Mirror(self, unlabeledChildren: inOrder.map(\.key)) }
}
