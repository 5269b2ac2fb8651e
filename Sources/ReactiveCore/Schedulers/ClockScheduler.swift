/// Carries work out by one of the language's clocks, on a queue.
///
/// Its clock's zero is when it was made. Work that is due at the same instant is carried out in the order in which it
/// was scheduled; one task sleeps, for what is due next.
public final class ClockScheduler<Base: Clock>: DateScheduler, @unchecked Sendable where Base.Duration == Duration {
  private let base: Base
  private let zero: Base.Instant
  private let queue: QueueScheduler
  private let lock = FutexLock()
  private var waiting = TimerQueue()
  private var sleeper: (deadline: Instant, task: Task<Void, Never>)?

  /// A scheduler that goes by `clock`.
  ///
  /// - Parameters:
  ///   - clock: The clock that it asks for the time, and sleeps on.
  ///   - queue: The queue that carries work out; its own clock is not used.
  public init(_ clock: Base, on queue: QueueScheduler = QueueScheduler(name: "reactive.clock")) {
    base = clock
    zero = clock.now
    self.queue = queue
  }

  /// How long ago the scheduler was made, by its clock.
  public var currentDate: Instant { .zero + zero.duration(to: base.now) }

  /// Carries `action` out when its turn comes; disposing of the result before that prevents it.
  @discardableResult public func schedule(_ action: @escaping () -> Void) -> (any Disposable)? {
    queue.schedule(action)
  }

  /// Carries `action` out at `date`, or as soon as possible if that has passed.
  @discardableResult public func schedule(after date: Instant, action: @escaping () -> Void) -> (any Disposable)? {
    lock.withLock {
      let work = waiting.insert(at: date, action)
      sleepForNext()
      return work
    }
  }

  /// Carries `action` out at `date` and every `interval` after that, until the result is disposed of.
  ///
  /// `leeway` is not used.
  ///
  /// - Precondition: `interval` is longer than nothing.
  @discardableResult public func schedule(
    after date: Instant, interval: Duration, leeway: Duration, action: @escaping () -> Void
  ) -> (any Disposable)? {
    precondition(interval > .zero, "an interval must be longer than nothing")
    let next = SerialDisposable()
    repeatAction(action, at: date, every: interval, next)
    return next
  }

  /// Has a task sleep for what is due next, unless it does; within the lock.
  private func sleepForNext() {
    guard let deadline = waiting.nextDate, sleeper.map({ deadline < $0.deadline }) ?? true else { return }
    sleeper?.task.cancel()
    let moment = zero.advanced(by: deadline - .zero)
    let task = Task.detached { [base, queue] in
      try? await base.sleep(until: moment, tolerance: nil)
      if !Task.isCancelled { queue.schedule { self.carryOutDue(of: deadline) } }
    }
    sleeper = (deadline, task)
  }

  /// Carries out what was slept for until `deadline`, and all else that is due by now.
  private func carryOutDue(of deadline: Instant) {
    while let action = lock.withLock({ waiting.removeFirst(until: max(deadline, currentDate)) }) { action() }
    lock.withLock {
      if sleeper?.deadline == deadline { sleeper = nil }
      sleepForNext()
    }
  }
}
