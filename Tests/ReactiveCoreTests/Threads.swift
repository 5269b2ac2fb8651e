import Dispatch
import Synchronization

/// Runs `work` on so many threads at the same time, and waits for all of them.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let ready = Atomic(0)
  let isOver = DispatchGroup()
  withExtendedLifetime(ready) {
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
}
