import Dispatch
import Synchronization

/// Runs `work` on so many threads at the same time, and waits for all of them.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let isOver = DispatchGroup()
  let start = DispatchSemaphore(value: 0)
  for number in 0..<count {
    let thread = DispatchQueue(label: "thread \(number)")
    thread.async(group: isOver) {
      start.wait()
      work(number)
    }
  }
  for _ in 0..<count { start.signal() }
  isOver.wait()
}

/// How many are inside, counted from any thread.
final class Counter: Sendable {
  private let count = Atomic(0)
  var present: Int { count.load(ordering: .relaxed) }
  @discardableResult func enter() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
  func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}
