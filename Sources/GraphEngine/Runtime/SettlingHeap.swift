/// The joins that wait to be settled: a binary heap with the lowest rank on top and, among equal ranks, the oldest.
struct SettlingHeap {
  private typealias Entry = (rank: Int, arrival: UInt64, join: any Settling)

  private var entries: [Entry] = []
  private var arrivals: UInt64 = 0

  mutating func insert(_ join: any Settling) {
    arrivals += 1
    var index = entries.count
    entries.append((join.rank, arrivals, join))
    while index > 0, case let parent = (index - 1) / 2, isBefore(index, parent) {
      entries.swapAt(index, parent)
      index = parent
    }
  }

  mutating func popLowest() -> (any Settling)? {
    guard entries.count > 1 else { return entries.popLast()?.join }
    let lowest = entries[0].join
    entries[0] = entries.removeLast()
    siftDown()
    return lowest
  }

  private func isBefore(_ index: Int, _ other: Int) -> Bool {
    let (a, b) = (entries[index], entries[other])
    return a.rank == b.rank ? a.arrival < b.arrival : a.rank < b.rank
  }

  private mutating func siftDown() {
    var index = 0
    while true {
      let left = 2 * index + 1
      guard left < entries.count else { return }
      let child = left + 1 < entries.count && isBefore(left + 1, left) ? left + 1 : left
      guard isBefore(child, index) else { return }
      entries.swapAt(index, child)
      index = child
    }
  }
}
