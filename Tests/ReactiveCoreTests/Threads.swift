import Foundation
import Synchronization

/// Runs `work` on `count` threads at the same time, and waits for all of them.
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

/// Runs `work` on a thread with a small stack of 256 KiB, too small for thousands of levels.
func onSmallStack<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result {
  let isOver = DispatchSemaphore(value: 0)
  let result = Mutex<Result?>(nil)
  let thread = Thread {
    let made = work()
    result.withLock { $0 = made }
    isOver.signal()
  }
  thread.stackSize = 256 << 10
  thread.start()
  isOver.wait()
  guard let made = result.withLock({ $0 }) else { preconditionFailure("the thread has signalled") }
  return made
}

/// The number of threads inside, counted from any thread.
final class Counter: Sendable {
  private let count = Atomic(0)
  var present: Int { count.load(ordering: .relaxed) }
  @discardableResult func enter() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
  func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}

/// An object counted while it is alive.
final class Life: Sendable {
  private let all: Counter

  init(_ all: Counter) {
    self.all = all
    all.enter()
  }

  deinit { all.leave() }
}
