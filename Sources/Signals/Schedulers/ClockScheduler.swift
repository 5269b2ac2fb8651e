/// A scheduler on one of the language's clocks, which runs work on a queue.
///
/// Its zero is the time of its creation. Work due at the same instant is run in scheduling order; one task sleeps, for
/// the earliest.
public final class ClockScheduler<Base: Clock>: DateScheduler, @unchecked Sendable where Base.Duration == Duration {
  private let base: Base
  private let zero: Base.Instant
  private let queue: QueueScheduler
  private let lock = FutexLock()
  private var waiting = TimerQueue()
  private var sleeper: (deadline: Instant, task: Task<Void, Never>)?

  /// A scheduler on `clock`.
  ///
  /// - Parameters:
  ///   - clock: The clock that it reads and sleeps on.
  ///   - queue: The queue that runs the work; its own clock is not used.
  public init(_ clock: Base, on queue: QueueScheduler = QueueScheduler(name: "reactive.clock")) {
    base = clock
    zero = clock.now
    self.queue = queue
  }

  /// The time since the scheduler's creation, by its clock.
  public var currentDate: Instant { .zero + zero.duration(to: base.now) }

  /// Runs `action` in scheduling order; disposing of the result before that prevents it.
  @discardableResult public func schedule(_ action: @escaping () -> Void) -> (any Disposable)? {
    queue.schedule(action)
  }

  /// Runs `action` at `date`, or as soon as possible if that has passed.
  @discardableResult public func schedule(after date: Instant, action: @escaping () -> Void) -> (any Disposable)? {
    lock.withLock {
      let work = waiting.insert(at: date, action)
      sleepForNext()
      return work
    }
  }

  /// Runs `action` at `date` and every `interval` after that, until the result is disposed of.
  ///
  /// `leeway` is not used.
  ///
  /// - Precondition: `interval` is positive.
  @discardableResult public func schedule(
    after date: Instant, interval: Duration, leeway: Duration, action: @escaping () -> Void
  ) -> (any Disposable)? {
    precondition(interval > .zero, "an interval must be longer than nothing")
    let next = SerialDisposable()
    repeatAction(action, at: date, every: interval, next)
    return next
  }

  /// Starts a sleeping task for the next work, unless there is one; within the lock.
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

  /// Runs the work of `deadline`, and all other work due by now.
  private func carryOutDue(of deadline: Instant) {
    while let action = lock.withLock({ waiting.removeFirst(until: max(deadline, currentDate)) }) { action() }
    lock.withLock {
      if sleeper?.deadline == deadline { sleeper = nil }
      sleepForNext()
    }
  }
}
