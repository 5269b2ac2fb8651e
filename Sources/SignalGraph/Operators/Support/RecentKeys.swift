import JSON
import ReactiveCore

/// Keys in the order in which they were last seen, within a bound of number or of age.
///
/// A linked list through an array, so that seeing a key again costs the same however many there are.
struct RecentKeys {
  private struct Entry {
    let key: JSONValue
    var seen: Instant
    var older: Int?
    var newer: Int?
  }

  private let limit: Int
  private let idle: Duration?
  private var places: [JSONValue: Int] = [:]
  private var entries: [Entry?] = []
  private var free: [Int] = []
  private var oldest: Int?
  private var newest: Int?

  init(limit: Int, idle: Duration?) {
    self.limit = limit
    self.idle = idle
  }

  var count: Int { places.count }
  var isFull: Bool { places.count >= limit }

  /// When the key longest unseen is to be forgotten.
  var nextExpiry: Instant? {
    guard let idle, let oldest else { return nil }
    return entries[oldest].map { $0.seen + idle }
  }

  /// Whether a key is known; then it is the one seen last.
  mutating func touch(_ key: JSONValue, at now: Instant) -> Bool {
    while let expiry = nextExpiry, expiry <= now { _ = removeOldest() }
    guard let place = places[key] else { return false }
    unlink(place)
    link(place, at: now)
    return true
  }

  mutating func insert(_ key: JSONValue, at now: Instant) {
    let place = free.popLast() ?? entries.count
    let entry = Entry(key: key, seen: now)
    if place == entries.count { entries.append(entry) } else { entries[place] = entry }
    places[key] = place
    link(place, at: now)
  }

  /// Forgets the key longest unseen.
  mutating func removeOldest() -> JSONValue? {
    guard let place = oldest, let key = entries[place]?.key else { return nil }
    unlink(place)
    entries[place] = nil
    free.append(place)
    places[key] = nil
    return key
  }

  private mutating func link(_ place: Int, at now: Instant) {
    entries[place]?.seen = now
    entries[place]?.older = newest
    entries[place]?.newer = nil
    if let newest { entries[newest]?.newer = place }
    newest = place
    if oldest == nil { oldest = place }
  }

  private mutating func unlink(_ place: Int) {
    guard let entry = entries[place] else { return }
    if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
    if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
  }
}
