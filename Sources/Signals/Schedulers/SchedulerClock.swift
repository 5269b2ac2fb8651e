/// A scheduler's clock as one of the language's, for APIs that take a `Clock`.
public struct SchedulerClock<Base: DateScheduler & Sendable>: Clock {
  private let scheduler: Base

  fileprivate init(_ scheduler: Base) { self.scheduler = scheduler }

  /// The present instant of the scheduler's clock.
  public var now: Instant { scheduler.currentDate }

  /// A nanosecond, the smallest difference of two instants.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Returns once the scheduler's clock shows `deadline`; throws if the task is cancelled.
  ///
  /// - Parameters:
  ///   - deadline: The instant of the wakeup.
  ///   - tolerance: Ignored: schedulers have leeway only for repeated work.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await scheduler.sleep(until: deadline)
  }
}

extension DateScheduler where Self: Sendable {
  /// This scheduler's clock as one of the language's: `Task.sleep(for: .seconds(1), clock: scheduler.clock)`.
  public var clock: SchedulerClock<Self> { SchedulerClock(self) }
}
