/// A scheduler in virtual time: its clock moves only by `advance`.
///
/// Work due at the same instant is run in scheduling order. All work is run by the advancing thread, which may be any,
/// one at a time.
public final class TestScheduler: DateScheduler, @unchecked Sendable {
  private let lock = FutexLock()
  private var now: Instant
  private var queue = TimerQueue()

  /// A scheduler whose clock shows `startDate`.
  public init(startDate: Instant = .zero) { now = startDate }

  /// The present instant of the clock.
  public var currentDate: Instant { lock.withLock { now } }

  /// Runs `action` at the next advance of the clock, even by zero.
  @discardableResult public func schedule(_ action: @escaping () -> Void) -> (any Disposable)? {
    lock.withLock { queue.insert(at: now, action) }
  }

  /// Runs `action` when the clock shows `date`.
  @discardableResult public func schedule(after date: Instant, action: @escaping () -> Void) -> (any Disposable)? {
    lock.withLock { queue.insert(at: max(date, now), action) }
  }

  /// Runs `action` when the clock shows `date` and every `interval` after that; never late.
  ///
  /// - Precondition: `interval` is positive.
  @discardableResult public func schedule(
    after date: Instant, interval: Duration, leeway: Duration = .zero, action: @escaping () -> Void
  ) -> (any Disposable)? {
    precondition(interval > .zero, "an interval must be longer than nothing")
    let next = SerialDisposable()
    repeatAction(action, at: date, every: interval, next)
    return next
  }

  /// Advances by a nanosecond, running the work due now.
  public func advance() { advance(by: .nanoseconds(1)) }

  /// Advances by `interval`.
  ///
  /// - Precondition: `interval` is not negative.
  public func advance(by interval: Duration) { advance(to: currentDate + interval) }

  /// Advances by some seconds.
  ///
  /// - Precondition: `seconds` is a number.
  @_disfavoredOverload public func advance(by seconds: Double) { advance(by: .timeInterval(seconds)) }

  /// Advances to `date`; work due on the way is run when the clock shows its instant.
  ///
  /// - Precondition: `date` is not before the present instant.
  public func advance(to date: Instant) {
    precondition(date >= currentDate, "time does not run backwards: rewind is its own method")
    while let action = takeNext(until: date) { action() }
    lock.withLock { now = max(now, date) }
  }

  /// Advances to the distant future, running all scheduled work.
  public func run() { advance(to: .distantFuture) }

  /// Sets the clock back; scheduled work keeps its instants.
  ///
  /// - Precondition: `interval` is not negative.
  public func rewind(by interval: Duration) {
    precondition(interval >= .zero, "rewinding by less than nothing is advancing")
    lock.withLock { now = now - interval }
  }

  /// True if work is scheduled.
  public var hasScheduledWork: Bool { lock.withLock { queue.nextDate != nil } }

  private func takeNext(until date: Instant) -> (() -> Void)? {
    lock.withLock {
      guard let due = queue.nextDate, due <= date else { return nil }
      now = max(now, due)
      return queue.removeFirst()
    }
  }
}
