/// The members of a composite, in the order of arrival.
///
/// A member that is taken out leaves a gap; the gaps are closed when they are more than the members, which costs no
/// more than the removals did.
struct Members {
  /// By rising keys; nil for a gap.
  private var places: [(key: UInt, member: (any Disposable)?)] = []
  private var gaps = 0
  private var lastKey: UInt = 0

  /// Adds a member; the result is what to remove it by.
  mutating func append(_ member: any Disposable) -> UInt {
    lastKey += 1
    places.append((lastKey, member))
    return lastKey
  }

  /// Takes a member out, unless that was done.
  mutating func remove(_ key: UInt) -> (any Disposable)? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low < places.count && places[low].key == key ? remove(at: low) : nil
  }

  /// Takes a member out; the later it has come, the faster.
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
