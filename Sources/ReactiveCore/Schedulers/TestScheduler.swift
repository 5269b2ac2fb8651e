/// A scheduler in virtual time: its clock stands still until it is told to advance.
///
/// Work that is due at the same instant is carried out in the order in which it was scheduled. All work is carried out
/// by the thread that advances, which may be any, one at a time.
public final class TestScheduler: DateScheduler, @unchecked Sendable {
  private let lock = FutexLock()
  private var now: Instant
  private var queue = TimerQueue()

  /// A scheduler whose clock shows `startDate`.
  public init(startDate: Instant = .zero) { now = startDate }

  /// The present instant of the clock.
  public var currentDate: Instant { lock.withLock { now } }

  /// Carries `action` out when the clock is next told to advance, if only by nothing.
  @discardableResult public func schedule(_ action: @escaping () -> Void) -> (any Disposable)? {
    lock.withLock { queue.insert(at: now, action) }
  }

  /// Carries `action` out when the clock shows `date`.
  @discardableResult public func schedule(after date: Instant, action: @escaping () -> Void) -> (any Disposable)? {
    lock.withLock { queue.insert(at: max(date, now), action) }
  }

  /// Carries `action` out when the clock shows `date` and every `interval` after that; never late.
  ///
  /// - Precondition: `interval` is longer than nothing.
  @discardableResult public func schedule(
    after date: Instant, interval: Duration, leeway: Duration = .zero, action: @escaping () -> Void
  ) -> (any Disposable)? {
    precondition(interval > .zero, "an interval must be longer than nothing")
    let next = SerialDisposable()
    repeatAction(action, at: date, every: interval, next)
    return next
  }

  /// Lets a nanosecond pass: what is due now is carried out.
  public func advance() { advance(by: .nanoseconds(1)) }

  /// Lets `interval` pass.
  ///
  /// - Precondition: `interval` is not negative.
  public func advance(by interval: Duration) { advance(to: currentDate + interval) }

  /// Lets some seconds pass.
  ///
  /// - Precondition: `seconds` is a number.
  @_disfavoredOverload public func advance(by seconds: Double) { advance(by: .timeInterval(seconds)) }

  /// Lets time pass until `date`; what is due on the way is carried out when the clock shows its instant.
  ///
  /// - Precondition: `date` is not before what the clock shows.
  public func advance(to date: Instant) {
    precondition(date >= currentDate, "time does not run backwards: rewind is its own method")
    while let action = takeNext(until: date) { action() }
    lock.withLock { now = max(now, date) }
  }

  /// Lets all time pass: what is scheduled is carried out, and the clock shows the distant future afterwards.
  public func run() { advance(to: .distantFuture) }

  /// Puts the clock back; what is scheduled keeps its instants.
  ///
  /// - Precondition: `interval` is not negative.
  public func rewind(by interval: Duration) {
    precondition(interval >= .zero, "rewinding by less than nothing is advancing")
    lock.withLock { now = now - interval }
  }

  /// True if something is scheduled.
  public var hasScheduledWork: Bool { lock.withLock { queue.nextDate != nil } }

  private func takeNext(until date: Instant) -> (() -> Void)? {
    lock.withLock {
      guard let due = queue.nextDate, due <= date else { return nil }
      now = max(now, due)
      return queue.removeFirst()
    }
  }
}
