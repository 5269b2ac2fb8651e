import CSystemd
import Glibc

/// Detects steps of the civil clock, including those after system sleep.
package final class ClockWatch {
  private let descriptor: OwnedDescriptor
  private var source: EventSource?
  private var hasChanged = false

  fileprivate init() throws(Errno) {
    // A timer that never expires but is cancelled when the clock is set (`timerfd_create(2)`).
    let number = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    if number == -1 { throw .last("timerfd_create") }
    descriptor = OwnedDescriptor(owning: number)
    try set()
  }

  private func set() throws(Errno) {
    var never = itimerspec()
    never.it_value.tv_sec = .max
    let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
    if timerfd_settime(descriptor.number, flags, &never, nil) == -1 { throw .last("timerfd_settime") }
  }

  /// Returns true if the clock was set since the last call.
  package func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  private func drain() {
    var count: UInt64 = 0
    guard read(descriptor.number, &count, 8) == -1, errno == ECANCELED else { return }
    hasChanged = true
    // Cannot fail: an equal call succeeded before.
    try? set()
  }

  fileprivate func attach(to loop: EventLoop, _ handler: @escaping () -> Void) throws(Errno) {
    source = try loop.addInput(descriptor.number) { [unowned self] in
      drain()
      handler()
    }
  }
}

extension EventLoop {
  /// Calls the handler when the civil clock is set.
  package func addClockWatch(_ handler: @escaping () -> Void) throws(Errno) -> ClockWatch {
    let watch = try ClockWatch()
    try watch.attach(to: self, handler)
    return watch
  }
}
