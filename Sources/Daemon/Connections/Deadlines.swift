import Linux

/// The time at which connections are to be looked at next, because one of them takes too long.
final class Deadlines {
  /// Looks at the connections, whose deadlines are then watched anew.
  var look: () -> Void = {}
  private let loop: EventLoop
  private let clock: TurnClock
  private var timer: LoopTimer?
  private var next: MonotonicInstant?

  init(loop: EventLoop, clock: TurnClock) throws(Errno) {
    self.loop = loop
    self.clock = clock
    timer = try loop.addTimer { [unowned self] in pass() }
  }

  /// Sees to it that there is a look when a deadline has come.
  func watch(_ deadline: MonotonicInstant?) {
    guard let deadline, next.map({ deadline < $0 }) ?? true else { return }
    next = deadline
    do throws(Errno) { try timer?.set(deadline) } catch { loop.fail(error) }
  }

  /// Has all deadlines watched anew.
  func forget() { next = nil }

  private func pass() {
    clock.readTime()
    next = nil
    look()
  }
}
