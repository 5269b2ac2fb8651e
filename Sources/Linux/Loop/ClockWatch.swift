import CSystemd
import Glibc

/// A watch over the civil clock: it tells when that is set, which includes that the machine has slept.
package final class ClockWatch {
  private let descriptor: OwnedDescriptor
  private var source: EventSource?
  private var hasChanged = false

  fileprivate init() throws(Errno) {
    // A timer that never comes, and that is given up when the clock is set (`timerfd_create(2)`).
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

  /// Whether the clock was set since this was asked last.
  package func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  private func hear() {
    var count: UInt64 = 0
    guard read(descriptor.number, &count, 8) == -1, errno == ECANCELED else { return }
    hasChanged = true
    // The same call has been made before.
    try? set()
  }

  fileprivate func attach(to loop: EventLoop, _ handler: @escaping () -> Void) throws(Errno) {
    source = try loop.addInput(descriptor.number) { [unowned self] in
      hear()
      handler()
    }
  }
}

extension EventLoop {
  /// Calls when the civil clock was set.
  package func addClockWatch(_ handler: @escaping () -> Void) throws(Errno) -> ClockWatch {
    let watch = try ClockWatch()
    try watch.attach(to: self, handler)
    return watch
  }
}
