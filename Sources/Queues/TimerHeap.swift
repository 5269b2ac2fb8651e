/// A timer that knows where it stands in its heap, so that it can be taken out of the middle.
package protocol HeapTimer: AnyObject {
  /// Where it stands; `nil` when it is in no heap. It is for the heap alone to set.
  var heapIndex: Int? { get set }

  /// Whether it comes before another.
  func isBefore(_ other: Self) -> Bool
}

/// A binary heap of timers, of which each can be taken out at once.
package struct TimerHeap<Timer: HeapTimer> {
  @usableFromInline var timers: [Timer] = []

  @inlinable package init() {}

  @inlinable package var first: Timer? { timers.first }

  /// Takes in that timers come in another order than before.
  @inlinable
  package mutating func reorder() {
    for index in timers.indices.reversed() { siftDown(index) }
  }

  @inlinable
  package mutating func insert(_ timer: Timer) {
    timer.heapIndex = timers.count
    timers.append(timer)
    siftUp(timers.count - 1)
  }

  @inlinable
  package mutating func remove(_ timer: Timer) {
    guard let index = timer.heapIndex else { return }
    timer.heapIndex = nil
    let last = timers.removeLast()
    guard index < timers.count else { return }
    place(last, at: index)
    siftDown(index)
    siftUp(index)
  }

  @inlinable
  mutating func place(_ timer: Timer, at index: Int) {
    timers[index] = timer
    timer.heapIndex = index
  }

  @inlinable
  mutating func swap(_ a: Int, _ b: Int) {
    let first = timers[a]
    place(timers[b], at: a)
    place(first, at: b)
  }

  @inlinable
  mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, timers[index].isBefore(timers[(index - 1) / 2]) {
      swap(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  @inlinable
  mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      let children = (2 * index + 1)..<max(2 * index + 1, min(2 * index + 3, timers.count))
      guard let least = children.min(by: { timers[$0].isBefore(timers[$1]) }), timers[least].isBefore(timers[index])
      else { return }
      swap(index, least)
      index = least
    }
  }
}
