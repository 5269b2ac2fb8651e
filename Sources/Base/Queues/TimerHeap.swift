/// A timer that stores its index in the heap, so that it can be removed from the middle.
public protocol HeapTimer: AnyObject {
  /// The index; `nil` outside a heap. Only the heap sets it.
  var heapIndex: Int? { get set }

  /// Returns true if it is due before another.
  func isBefore(_ other: Self) -> Bool
}

/// A binary heap of timers that supports removal of any of them.
///
/// It is public, like the whole module: the compiler does not specialise package declarations for their users.
public struct TimerHeap<Timer: HeapTimer> {
  @usableFromInline var timers: [Timer] = []

  /// An empty heap.
  @inlinable public init() {}

  /// The timer that is due first.
  @inlinable public var first: Timer? { timers.first }

  /// Restores the heap after a change of the timers' order.
  @inlinable
  public mutating func reorder() {
    for index in timers.indices.reversed() { siftDown(index) }
  }

  /// Adds a timer.
  @inlinable
  public mutating func insert(_ timer: Timer) {
    timer.heapIndex = timers.count
    timers.append(timer)
    siftUp(timers.count - 1)
  }

  /// Removes a timer, if it is in a heap.
  @inlinable
  public mutating func remove(_ timer: Timer) {
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

  /// Moves a timer up to its place; those that it passes move down one by one.
  @inlinable
  mutating func siftUp(_ start: Int) {
    let timer = timers[start]
    var index = start
    while index > 0 {
      let parent = timers[(index - 1) / 2]
      guard timer.isBefore(parent) else { break }
      place(parent, at: index)
      index = (index - 1) / 2
    }
    if index != start { place(timer, at: index) }
  }

  /// Moves a timer down to its place, likewise.
  @inlinable
  mutating func siftDown(_ start: Int) {
    let timer = timers[start]
    var index = start
    while 2 * index + 1 < timers.count {
      var child = 2 * index + 1
      if child + 1 < timers.count, timers[child + 1].isBefore(timers[child]) { child += 1 }
      guard timers[child].isBefore(timer) else { break }
      place(timers[child], at: index)
      index = child
    }
    if index != start { place(timer, at: index) }
  }
}
