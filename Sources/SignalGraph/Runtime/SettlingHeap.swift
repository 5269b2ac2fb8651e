/// The joins that wait to be settled, a binary heap with the lowest rank on top.
struct SettlingHeap {
  private var joins: [any Settling] = []

  mutating func insert(_ join: any Settling) {
    var index = joins.count
    joins.append(join)
    let rank = join.rank
    while index > 0, case let parent = (index - 1) / 2, rank < joins[parent].rank {
      joins.swapAt(index, parent)
      index = parent
    }
  }

  mutating func popLowest() -> (any Settling)? {
    guard joins.count > 1 else { return joins.popLast() }
    let lowest = joins[0]
    joins[0] = joins.removeLast()
    siftDown()
    return lowest
  }

  private mutating func siftDown() {
    var index = 0
    while true {
      let left = 2 * index + 1
      guard left < joins.count else { return }
      let isRightLower = left + 1 < joins.count && joins[left + 1].rank < joins[left].rank
      let child = isRightLower ? left + 1 : left
      guard joins[child].rank < joins[index].rank else { return }
      joins.swapAt(index, child)
      index = child
    }
  }
}
