internal import Linux

/// A call that may block, on a thread of its own, whose result arrives on the program's loop.
final class BackgroundCall<Result: Sendable> {
  private let wakeup: WakeupPipe
  private var source: EventSource?

  /// Begins a call; `nil` if no thread can be started.
  ///
  /// - Parameter done: Called on the loop with the result, unless this was released before.
  init?(
    loop: EventLoop, name: String, _ work: @escaping @Sendable () -> Result, done: @escaping (Result) -> Void
  ) {
    guard let wakeup = try? WakeupPipe() else { return nil }
    self.wakeup = wakeup
    let result = Monitor<Result?>(nil)
    source = try? loop.addInput(wakeup.number) { [weak self] in
      wakeup.drain()
      guard let value = result.withLock({ $0 }) else { return }
      loop.post {
        self?.source = nil
        done(value)
      }
    }
    let thread = try? Thread(name) {
      let value = work()
      result.withLock { $0 = value }
      wakeup.signal()
    }
    guard source != nil, thread != nil else { return nil }
  }
}

/// A pointer that only one thread uses at a time.
struct UncheckedPointer: @unchecked Sendable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }
}
