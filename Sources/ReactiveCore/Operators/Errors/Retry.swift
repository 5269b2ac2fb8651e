/// How often, and after which pauses, a producer that has failed is started again.
@usableFromInline struct RetryPolicy {
  @usableFromInline let count: Int
  @usableFromInline let delay: Duration
  @usableFromInline let backoff: Double
  @usableFromInline let maxDelay: Duration?
  @usableFromInline let resetAfter: Duration?
  @usableFromInline let scheduler: any DateScheduler

  init(
    upTo count: Int, delay: Duration, backoff: Double, maxDelay: Duration?, resetAfter: Duration?,
    on scheduler: any DateScheduler
  ) {
    precondition(count >= 0 && delay >= .zero, "neither a count nor a delay can be negative")
    precondition(backoff >= 1, "delays cannot become shorter")
    (self.count, self.delay, self.backoff) = (count, delay, backoff)
    (self.maxDelay, self.resetAfter, self.scheduler) = (maxDelay, resetAfter, scheduler)
  }

  /// Where pauses stop growing if nothing else is said: a hundred years.
  private static let longestPause = Duration.seconds(100 * 365 * 86_400)

  /// The pause after another one; it grows up to the longest there is to be.
  func delay(following delay: Duration) -> Duration {
    let longest = maxDelay ?? Self.longestPause
    guard delay > .zero, delay < longest else { return delay }
    // As numbers first: a duration that overflows is a trap.
    return delay / .seconds(1) * backoff < longest / .seconds(1) ? delay * backoff : longest
  }
}

/// How far one run has got with its policy.
@usableFromInline final class RetryProgress {
  private let policy: RetryPolicy
  private var left: Int
  private var delay: Duration
  private var beginning: Instant

  @usableFromInline init(_ policy: RetryPolicy) {
    self.policy = policy
    left = policy.count
    delay = policy.delay
    beginning = policy.scheduler.currentDate
  }

  /// What follows a failure: nil if there are no more tries.
  @usableFromInline func pauseAfterFailure() -> Duration? {
    let now = policy.scheduler.currentDate
    if let resetAfter = policy.resetAfter, now >= beginning + resetAfter {
      left = policy.count
      delay = policy.delay
    }
    guard left > 0 else { return nil }
    if left < .max { left -= 1 }
    let pause = policy.maxDelay.map { min($0, delay) } ?? delay
    beginning = now + pause
    delay = policy.delay(following: delay)
    return pause
  }
}

extension SignalProducer {
  /// The same producer, started again at once when it fails, up to so many times; then the failure is passed on.
  @inlinable public func retry(upTo count: Int) -> SignalProducer<Value, Failure> {
    precondition(count >= 0, "a count cannot be negative")
    guard count > 0 else { return self }
    return continued {
      var left = count
      return { ending in
        guard case .failed = ending, left > 0 else { return .end(ending) }
        left -= 1
        return .follow(self)
      }
    }
  }

  /// The same producer, started again at once whenever it fails.
  @inlinable public func retry() -> SignalProducer<Value, Failure> { retry(upTo: .max) }

  /// The same producer, started again `interval` seconds after it has failed, up to so many times; then the failure is
  /// passed on at once.
  public func retry(
    upTo count: Int, interval: Double, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    retry(upTo: count, delay: .timeInterval(interval), on: scheduler)
  }

  /// The same producer, started again after a pause when it fails, up to so many times; then the failure is passed on.
  ///
  /// Each further pause is longer by the factor `backoff`, up to `maxDelay`, else up to a hundred years. If a try has gone on for `resetAfter` before
  /// it fails, both the count and the pauses begin anew.
  public func retry(
    upTo count: Int = .max, delay: Duration, backoff: Double = 1, maxDelay: Duration? = nil,
    resetAfter: Duration? = nil, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    let policy = RetryPolicy(
      upTo: count, delay: delay, backoff: backoff, maxDelay: maxDelay, resetAfter: resetAfter, on: scheduler)
    return continued {
      let progress = RetryProgress(policy)
      return { ending in
        guard case .failed = ending, let pause = progress.pauseAfterFailure() else { return .end(ending) }
        return .followLater(self, after: pause, on: scheduler)
      }
    }
  }
}
