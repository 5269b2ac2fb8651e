import ReactiveCore

/// One action that waits for its time.
package final class GraphTimer {
  let due: Instant
  /// How many timers have led to it without any time between.
  let chain: Int
  let action: () -> Void
  /// Where it is declared; `nil` stands behind everything that is.
  private let place: DeclaredPlace?
  private let arrival: UInt64
  /// Where it stands in its heap; `nil` when it is in none.
  fileprivate var index: Int?

  init(due: Instant, place: DeclaredPlace?, arrival: UInt64, chain: Int, action: @escaping () -> Void) {
    self.due = due
    self.place = place
    self.arrival = arrival
    self.chain = chain
    self.action = action
  }

  /// Itself in writing; `nil` once it has run or was cancelled.
  var record: TimerRecord? { index == nil ? nil : TimerRecord(due: due, arrival: arrival, chain: chain) }

  fileprivate func isBefore(_ other: GraphTimer) -> Bool {
    if due != other.due { return due < other.due }
    let (own, others) = (place?.position ?? .max, other.place?.position ?? .max)
    return own == others ? arrival < other.arrival : own < others
  }
}

/// A binary heap of timers that know their place in it, so that one can be taken out of the middle.
struct TimerHeap {
  private var timers: [GraphTimer] = []

  var first: GraphTimer? { timers.first }

  /// Takes in that signals stand in another order than before.
  mutating func reorder() {
    for index in timers.indices.reversed() { siftDown(index) }
  }

  mutating func insert(_ timer: GraphTimer) {
    timer.index = timers.count
    timers.append(timer)
    siftUp(timers.count - 1)
  }

  mutating func remove(_ timer: GraphTimer) {
    guard let index = timer.index else { return }
    timer.index = nil
    let last = timers.removeLast()
    guard index < timers.count else { return }
    place(last, at: index)
    siftDown(index)
    siftUp(index)
  }

  private mutating func place(_ timer: GraphTimer, at index: Int) {
    timers[index] = timer
    timer.index = index
  }

  private mutating func swap(_ a: Int, _ b: Int) {
    let first = timers[a]
    place(timers[b], at: a)
    place(first, at: b)
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, timers[index].isBefore(timers[(index - 1) / 2]) {
      swap(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
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
