/// The number of restarts of a failed producer, and the pauses before them.
package struct RetryPolicy {
  let count: Int
  let interval: Duration
  let backoff: Double
  let maxInterval: Duration?
  let resetAfter: Duration?
  let scheduler: any DateScheduler

  package init(
    upTo count: Int, interval: Duration, backoff: Double, maxInterval: Duration?, resetAfter: Duration?,
    on scheduler: any DateScheduler
  ) {
    precondition(count >= 0 && interval >= .zero, "neither a count nor a pause can be negative")
    precondition(backoff >= 1, "pauses cannot become shorter")
    (self.count, self.interval, self.backoff) = (count, interval, backoff)
    (self.maxInterval, self.resetAfter, self.scheduler) = (maxInterval, resetAfter, scheduler)
  }

  /// The default limit of growing pauses: a hundred years.
  private static let longestPause = Duration.seconds(100 * 365 * 86_400)

  /// Returns the pause that follows another; it grows up to the longest one.
  func pause(following pause: Duration) -> Duration {
    let longest = maxInterval ?? Self.longestPause
    guard pause > .zero, pause < longest else { return pause }
    // As numbers first: a duration that overflows traps.
    return pause / .seconds(1) * backoff < longest / .seconds(1) ? pause * backoff : longest
  }
}

/// The progress of one run through its policy.
package final class RetryProgress {
  private let policy: RetryPolicy
  private var left: Int
  private var interval: Duration
  private var beginning: Instant

  package init(_ policy: RetryPolicy) {
    self.policy = policy
    left = policy.count
    interval = policy.interval
    beginning = policy.scheduler.currentDate
    keep()
  }

  /// Resets the count and the pauses.
  package func reset() {
    left = policy.count
    interval = policy.interval
  }

  /// Returns the pause before the next try: nil if there are no more tries.
  package func pauseAfterFailure() -> Duration? {
    let now = policy.scheduler.currentDate
    if let resetAfter = policy.resetAfter, now >= beginning + resetAfter { reset() }
    guard left > 0 else { return nil }
    if left < .max { left -= 1 }
    let pause = policy.maxInterval.map { min($0, interval) } ?? interval
    beginning = now + pause
    interval = policy.pause(following: interval)
    return pause
  }
}

extension RetryProgress: KeptMemory, StateFields {
  package func code(_ field: inout StateCoder<RetryProgress>) throws(StateError) {
    try field(&left)
    try field(&interval)
    try field(&beginning)
  }
}

extension SignalProducer {
  /// This producer, restarted at once when it fails, up to `count` times; then the failure is emitted.
  ///
  /// - Precondition: `count` is not negative.
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

  /// This producer, restarted at once whenever it fails.
  @inlinable public func retry() -> SignalProducer<Value, Failure> { retry(upTo: .max) }

  /// This producer, restarted after a pause when it fails, up to `count` times; then the failure is emitted.
  ///
  /// No pause precedes that failure. A run that is disposed of during a pause is interrupted at once, and its work does
  /// not restart.
  ///
  /// - Parameters:
  ///   - count: The maximum number of restarts; unlimited by default.
  ///   - interval: The first pause.
  ///   - backoff: The factor between consecutive pauses.
  ///   - maxInterval: The longest pause: a hundred years by default.
  ///   - resetAfter: The duration of a try after which both the count and the pauses are reset.
  ///   - scheduler: The scheduler that measures the pauses and restarts the producer.
  /// - Precondition: Neither `count` nor `interval` is negative, and `backoff` is at least 1.
  public func retry(
    upTo count: Int = .max, interval: Duration, backoff: Double = 1, maxInterval: Duration? = nil,
    resetAfter: Duration? = nil, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    let policy = RetryPolicy(
      upTo: count, interval: interval, backoff: backoff, maxInterval: maxInterval, resetAfter: resetAfter,
      on: scheduler)
    return continued {
      let progress = RetryProgress(policy)
      return { ending in
        guard case .failed = ending, let pause = progress.pauseAfterFailure() else { return .end(ending) }
        return .followLater(self, after: pause, on: scheduler)
      }
    }
  }
}
