/// Work ordered by its instant and, within an instant, by its arrival: a binary heap.
struct TimerQueue {
  /// One unit of work; disposing of it releases its action, and the heap skips it.
  private final class Entry: Disposable, @unchecked Sendable {
    let date: Instant
    let arrival: UInt64
    private let lock = FutexLock()
    private var action: (() -> Void)?

    init(_ date: Instant, _ arrival: UInt64, _ action: @escaping () -> Void) {
      self.date = date
      self.arrival = arrival
      self.action = action
    }

    var isDisposed: Bool { lock.withLock { action == nil } }

    func dispose() { _ = takeAction() }

    func takeAction() -> (() -> Void)? {
      lock.withLock {
        defer { action = nil }
        return action
      }
    }

    static func < (left: Entry, right: Entry) -> Bool {
      (left.date, left.arrival) < (right.date, right.arrival)
    }
  }

  private var heap: [Entry] = []
  private var arrivals: UInt64 = 0

  /// Adds work; the result removes it.
  mutating func insert(at date: Instant, _ action: @escaping () -> Void) -> any Disposable {
    arrivals += 1
    let entry = Entry(date, arrivals, action)
    heap.append(entry)
    siftUp(heap.count - 1)
    return entry
  }

  /// The instant of the next work.
  var nextDate: Instant? {
    mutating get {
      while let first = heap.first, first.isDisposed { popFirst() }
      return heap.first?.date
    }
  }

  /// Removes the next work if it is due at `date`.
  mutating func removeFirst(until date: Instant) -> (() -> Void)? {
    guard let due = nextDate, due <= date else { return nil }
    return removeFirst()
  }

  /// Removes the next work.
  mutating func removeFirst() -> (() -> Void)? {
    while !heap.isEmpty {
      if let action = popFirst().takeAction() { return action }
    }
    return nil
  }

  @discardableResult private mutating func popFirst() -> Entry {
    let first = heap[0]
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      siftDown(0)
    }
    return first
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, heap[index] < heap[(index - 1) / 2] {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      guard least != index else { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
