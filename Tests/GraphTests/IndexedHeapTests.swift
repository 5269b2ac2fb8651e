import Base
import TestSupport
import Testing

struct IndexedHeapTests {
  private final class Item: HeapElement {
    var key: Int64
    let arrival: Int
    var heapIndex: Int?

    init(_ key: Int64, _ arrival: Int) { (self.key, self.arrival) = (key, arrival) }

    var heapKey: Int64 { key }
    func isBefore(_ other: Item) -> Bool { arrival < other.arrival }
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `elements come in order, whatever was added, moved and removed before`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var heap = IndexedHeap<Item>()
    var items: [Item] = []
    for arrival in 0..<500 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where !items.isEmpty:
        let removed = items.remove(at: Int.random(in: items.indices, using: &random))
        heap.remove(removed)
        #expect(removed.heapIndex == nil)
      case 1 where !items.isEmpty:
        let moved = items[Int.random(in: items.indices, using: &random)]
        moved.key = .random(in: -20...20, using: &random)
        heap.move(moved)
      case 2:
        for item in items { item.key = -item.key }
        heap.reorder()
      default:
        items.append(Item(.random(in: -20...20, using: &random), arrival))
        heap.insert(items[items.count - 1])
      }
    }
    items.sort { ($0.key, $0.arrival) < ($1.key, $1.arrival) }
    for item in items {
      #expect(heap.first === item)
      heap.remove(item)
    }
    #expect(heap.first == nil)
  }
}
