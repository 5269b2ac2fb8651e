/// An executor of serial work, in the order of scheduling.
///
/// A scheduler may run work on the calling thread and before `schedule` returns.
public protocol Scheduler: AnyObject {
  /// Runs `action` in scheduling order; disposing of the result before that prevents it.
  @discardableResult func schedule(_ action: @escaping () -> Void) -> (any Disposable)?
}

/// A scheduler with a clock.
public protocol DateScheduler: Scheduler {
  /// The present instant of the scheduler's clock.
  var currentDate: Instant { get }

  /// Runs `action` at `date`, or as soon as possible if that has passed.
  @discardableResult func schedule(after date: Instant, action: @escaping () -> Void) -> (any Disposable)?

  /// Runs `action` at `date` and every `interval` after that, until the result is disposed of.
  ///
  /// `leeway` is the permitted delay of each, so that wakeups can be coalesced.
  @discardableResult func schedule(
    after date: Instant, interval: Duration, leeway: Duration, action: @escaping () -> Void
  ) -> (any Disposable)?
}

extension DateScheduler {
  /// Runs `action` after `delay`.
  @discardableResult public func schedule(after delay: Duration, action: @escaping () -> Void) -> (any Disposable)? {
    schedule(after: currentDate + delay, action: action)
  }

  /// Runs `action` after `delay` and every `interval` after that, each time at most `leeway` late.
  ///
  /// - Parameters:
  ///   - delay: The time until the first.
  ///   - interval: The time between two.
  ///   - leeway: The permitted delay of each, so that wakeups can be coalesced.
  ///   - action: The work.
  /// - Returns: A disposable that stops it.
  @discardableResult public func schedule(
    after delay: Duration, interval: Duration, leeway: Duration = .zero, action: @escaping () -> Void
  ) -> (any Disposable)? {
    schedule(after: currentDate + delay, interval: interval, leeway: leeway, action: action)
  }

  /// Runs `action` at `date` and every `interval` after that, each time at most a tenth of the interval late.
  @discardableResult public func schedule(
    after date: Instant, interval: Duration, action: @escaping () -> Void
  ) -> (any Disposable)? {
    schedule(after: date, interval: interval, leeway: interval / 10, action: action)
  }
}
