package import Signals

/// Virtual time: what is scheduled happens in the order of its times, at equal times in the order of scheduling.
package final class SimulatedTime {
  private struct Entry {
    let time: Int64
    let number: Int
    let action: () -> Void

    func precedes(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
  }

  package private(set) var now = Instant.zero
  /// A binary heap, the next entry first.
  private var entries: [Entry] = []
  private var count = 0

  package init() {}

  package func schedule(at time: Instant, _ action: @escaping () -> Void) {
    count += 1
    entries.append(Entry(time: max(time, now).nanoseconds, number: count, action: action))
    var child = entries.count - 1
    while child > 0, entries[child].precedes(entries[(child - 1) / 2]) {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  package func schedule(after delay: Duration, _ action: @escaping () -> Void) {
    schedule(at: now + delay, action)
  }

  /// Performs everything that is scheduled up to a time.
  package func run(until end: Instant) {
    while let first = entries.first, first.time <= end.nanoseconds {
      removeFirst()
      now = Instant(nanoseconds: first.time)
      first.action()
    }
    now = end
  }

  private func removeFirst() {
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < entries.count && entries[child].precedes(entries[least]) {
        least = child
      }
      if least == parent { return }
      entries.swapAt(parent, least)
      parent = least
    }
  }
}
