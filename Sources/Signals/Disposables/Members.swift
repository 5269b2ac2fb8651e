/// The members of a composite, in the order of arrival.
///
/// A member that is removed leaves a gap; the array is compacted when gaps outnumber members, at amortised constant
/// cost.
struct Members {
  /// Ordered by rising keys; nil for a gap.
  private var places: [(key: UInt, member: (any Disposable)?)] = []
  private var gaps = 0
  private var lastKey: UInt = 0

  /// Adds a member; returns the key for its removal.
  mutating func append(_ member: any Disposable) -> UInt {
    lastKey += 1
    places.append((lastKey, member))
    return lastKey
  }

  /// Removes the member with a key, unless removed.
  mutating func remove(_ key: UInt) -> (any Disposable)? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].key == key ? remove(at: low) : nil
  }

  /// Removes a member; faster, the later it was added.
  mutating func remove(_ member: any Disposable) -> (any Disposable)? {
    places.lastIndex { $0.member === member }.flatMap { remove(at: $0) }
  }

  func forEach(_ body: (any Disposable) -> Void) {
    for (_, member) in places { member.map(body) }
  }

  private mutating func remove(at index: Int) -> (any Disposable)? {
    guard let removed = places[index].member.take() else { return nil }
    gaps += 1
    if gaps * 2 > places.count {
      places.removeAll { $0.member == nil }
      gaps = 0
    }
    return removed
  }
}
