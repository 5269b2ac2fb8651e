/// Where work is carried out: one piece after the other, in the order of scheduling.
///
/// A scheduler may carry work out on the calling thread and before `schedule` returns.
public protocol Scheduler: AnyObject {
  /// Carries `action` out when its turn comes; disposing of the result before that prevents it.
  @discardableResult func schedule(_ action: @escaping () -> Void) -> (any Disposable)?
}

/// A scheduler with a clock.
public protocol DateScheduler: Scheduler {
  /// The present instant of the scheduler's clock.
  var currentDate: Instant { get }

  /// Carries `action` out at `date`, or as soon as possible if that has passed.
  @discardableResult func schedule(after date: Instant, action: @escaping () -> Void) -> (any Disposable)?

  /// Carries `action` out at `date` and every `interval` after that, until the result is disposed of.
  ///
  /// `leeway` is by how much each may be late, so that wake-ups can be put together.
  @discardableResult func schedule(
    after date: Instant, interval: Duration, leeway: Duration, action: @escaping () -> Void
  ) -> (any Disposable)?
}

extension DateScheduler {
  /// Carries `action` out once `delay` has passed.
  @discardableResult public func schedule(after delay: Duration, action: @escaping () -> Void) -> (any Disposable)? {
    schedule(after: currentDate + delay, action: action)
  }

  /// Carries `action` out once `delay` has passed and every `interval` after that, each time `leeway` late at most.
  ///
  /// - Parameters:
  ///   - delay: The time until the first.
  ///   - interval: The time between two.
  ///   - leeway: By how much each may be late, so that wake-ups can be put together.
  ///   - action: The work.
  /// - Returns: A disposable that stops it.
  @discardableResult public func schedule(
    after delay: Duration, interval: Duration, leeway: Duration = .zero, action: @escaping () -> Void
  ) -> (any Disposable)? {
    schedule(after: currentDate + delay, interval: interval, leeway: leeway, action: action)
  }

  /// Carries `action` out at `date` and every `interval` after that, each time a tenth of the interval late at most.
  @discardableResult public func schedule(
    after date: Instant, interval: Duration, action: @escaping () -> Void
  ) -> (any Disposable)? {
    schedule(after: date, interval: interval, leeway: interval / 10, action: action)
  }
}
