import Linux

/// The time of the next check of connections for missed deadlines.
final class Deadlines {
  /// Checks the connections, which then register their deadlines again.
  var look: () -> Void = {}
  private let loop: EventLoop
  private let clock: IterationClock
  private var timer: LoopTimer?
  private var next: MonotonicInstant?

  init(loop: EventLoop, clock: IterationClock) throws(Errno) {
    self.loop = loop
    self.clock = clock
    timer = try loop.addTimer { [unowned self] in pass() }
  }

  /// Schedules a check at a deadline.
  func watch(_ deadline: MonotonicInstant?) {
    guard let deadline, next.map({ deadline < $0 }) ?? true else { return }
    next = deadline
    do throws(Errno) { try timer?.set(deadline) } catch { loop.fail(error) }
  }

  /// Discards the registered deadlines.
  func remove() { next = nil }

  private func pass() {
    clock.readTime()
    next = nil
    look()
  }
}
