/// One unit of work on a queue; disposing of it releases its action, if it has not begun.
final class ScheduledWork: Disposable, @unchecked Sendable {
  private let lock = FutexLock()
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) { self.action = action }

  var isDisposed: Bool { lock.withLock { action == nil } }

  func dispose() {
    let dropped = lock.withLock {
      defer { action = nil }
      return action
    }
    _ = dropped
  }

  func carryOut(again: Bool = false) {
    let due = lock.withLock {
      defer { if !again { action = nil } }
      return action
    }
    due?()
  }
}
