/// A timer that knows where it stands in its heap, so that it can be taken out of the middle.
public protocol HeapTimer: AnyObject {
  /// Where it stands; `nil` when it is in no heap. It is for the heap alone to set.
  var heapIndex: Int? { get set }

  /// Whether it comes before another.
  func isBefore(_ other: Self) -> Bool
}

/// A binary heap of timers, of which each can be taken out at once.
///
/// It is public, as everything here: the compiler does not specialise for its users what is for the package alone.
public struct TimerHeap<Timer: HeapTimer> {
  @usableFromInline var timers: [Timer] = []

  /// An empty heap.
  @inlinable public init() {}

  /// The timer that comes first.
  @inlinable public var first: Timer? { timers.first }

  /// Takes in that timers come in another order than before.
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

  /// Takes a timer out, if it is in a heap.
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

  /// Moves a timer up to where it belongs; those that it passes go down one by one into the place that it leaves.
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

  /// Moves a timer down to where it belongs, likewise.
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
