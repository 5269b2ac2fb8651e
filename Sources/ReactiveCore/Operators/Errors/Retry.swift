/// How often, and after which pauses, a producer that has failed is started again.
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

  /// Where pauses stop growing if nothing else is said: a hundred years.
  private static let longestPause = Duration.seconds(100 * 365 * 86_400)

  /// The pause after another one; it grows up to the longest there is to be.
  func pause(following pause: Duration) -> Duration {
    let longest = maxInterval ?? Self.longestPause
    guard pause > .zero, pause < longest else { return pause }
    // As numbers first: a duration that overflows is a trap.
    return pause / .seconds(1) * backoff < longest / .seconds(1) ? pause * backoff : longest
  }
}

/// How far one run has got with its policy.
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

  /// The sequel to a failure: nil if there are no more tries.
  package func pauseAfterFailure() -> Duration? {
    let now = policy.scheduler.currentDate
    if let resetAfter = policy.resetAfter, now >= beginning + resetAfter {
      left = policy.count
      interval = policy.interval
    }
    guard left > 0 else { return nil }
    if left < .max { left -= 1 }
    let pause = policy.maxInterval.map { min($0, interval) } ?? interval
    beginning = now + pause
    interval = policy.pause(following: interval)
    return pause
  }
}

extension RetryProgress: KeptMemory {
  package func store(in writer: inout StateWriter) {
    left.store(in: &writer)
    interval.store(in: &writer)
    beginning.store(in: &writer)
  }

  package func restore(from reader: inout StateReader) throws(StateError) {
    left = try Int(from: &reader)
    interval = try Duration(from: &reader)
    beginning = try Instant(from: &reader)
  }
}

extension SignalProducer {
  /// The same producer, started again at once when it fails, up to `count` times; then the failure is passed on.
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

  /// The same producer, started again at once whenever it fails.
  @inlinable public func retry() -> SignalProducer<Value, Failure> { retry(upTo: .max) }

  /// The same producer, started again after a pause when it fails, up to `count` times; then the failure is passed on.
  ///
  /// No pause comes before the failure that is passed on. A run that is disposed of during a pause is interrupted at
  /// once, and its work does not begin again.
  ///
  /// - Parameters:
  ///   - count: How often it is started again at most; without a limit if nothing is said.
  ///   - interval: The first pause.
  ///   - backoff: The factor by which each further pause is longer.
  ///   - maxInterval: The longest pause: a hundred years if nothing is said.
  ///   - resetAfter: How long a try must have gone on before it fails for both the count and the pauses to begin anew.
  ///   - scheduler: The scheduler that measures the pauses and starts the producer again.
  /// - Precondition: Neither `count` nor `interval` is negative, and `backoff` is 1 at least.
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
