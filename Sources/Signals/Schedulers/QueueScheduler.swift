public import Dispatch

/// A scheduler on a serial Dispatch queue.
///
/// Its clock is the system's monotonic one, so that adjusting the system's time moves neither a debounce nor a timeout;
/// for a time of day, create it with the wall clock. See ``SystemClock``.
///
/// Work need not be `Sendable`, since it is serial, but its captures must not be used elsewhere meanwhile.
public final class QueueScheduler: DateScheduler, Sendable {
  /// The queue that runs the work.
  public let queue: DispatchQueue

  /// The clock that the scheduler uses.
  public let systemClock: SystemClock

  /// The main queue's scheduler, on the monotonic clock.
  public static let main = QueueScheduler(itself: .main)

  private init(itself queue: DispatchQueue) {
    self.queue = queue
    systemClock = .monotonic
  }

  /// A scheduler with a serial queue of its own.
  ///
  /// - Parameters:
  ///   - qos: The urgency of its work.
  ///   - name: The queue's label, which debuggers show.
  ///   - target: The queue that runs the work; by default one that Dispatch chooses.
  ///   - systemClock: The clock that the scheduler uses.
  public init(
    qos: DispatchQoS = .unspecified, name: String = "reactive.queue", targeting target: DispatchQueue? = nil,
    systemClock: SystemClock = .monotonic
  ) {
    queue = DispatchQueue(label: name, qos: qos, target: target)
    self.systemClock = systemClock
  }

  /// A scheduler with a serial queue of its own, whose work runs on `queue`.
  ///
  /// - Parameters:
  ///   - queue: The queue that runs the work.
  ///   - name: The label of the serial queue, which debuggers show.
  ///   - systemClock: The clock that the scheduler uses.
  public convenience init(
    queue: DispatchQueue, name: String = "reactive.queue", systemClock: SystemClock = .monotonic
  ) {
    self.init(name: name, targeting: queue, systemClock: systemClock)
  }

  /// The present instant of the scheduler's clock.
  public var currentDate: Instant { systemClock.now }

  /// Runs `action` in scheduling order; disposing of the result before that prevents it.
  @discardableResult public func schedule(_ action: @escaping () -> Void) -> (any Disposable)? {
    let work = ScheduledWork(action)
    queue.async { work.carryOut() }
    return work
  }

  /// Runs `action` at `date`, or as soon as possible if that has passed.
  @discardableResult public func schedule(after date: Instant, action: @escaping () -> Void) -> (any Disposable)? {
    let work = ScheduledWork(action)
    switch systemClock {
    case .monotonic: queue.asyncAfter(deadline: .now() + wait(until: date)) { work.carryOut() }
    case .wall: queue.asyncAfter(wallDeadline: .now() + wait(until: date)) { work.carryOut() }
    }
    return work
  }

  /// Runs `action` at `date` and every `interval` after that, until the result is disposed of.
  ///
  /// - Precondition: `interval` is positive, and `leeway` is not negative.
  @discardableResult public func schedule(
    after date: Instant, interval: Duration, leeway: Duration, action: @escaping () -> Void
  ) -> (any Disposable)? {
    precondition(interval > .zero && leeway >= .zero, "an interval must be longer than nothing")
    let work = ScheduledWork(action)
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let (period, latitude) = (interval.dispatchInterval, leeway.dispatchInterval)
    switch systemClock {
    case .monotonic: timer.schedule(deadline: .now() + wait(until: date), repeating: period, leeway: latitude)
    case .wall: timer.schedule(wallDeadline: .now() + wait(until: date), repeating: period, leeway: latitude)
    }
    // The handler retains the timer until it is cancelled, even if the result is discarded.
    timer.setEventHandler { withExtendedLifetime(timer) { work.carryOut(again: true) } }
    timer.resume()
    return AnyDisposable {
      work.dispose()
      timer.cancel()
    }
  }

  private func wait(until date: Instant) -> DispatchTimeInterval { (date - currentDate).dispatchInterval }
}

extension Duration {
  fileprivate var dispatchInterval: DispatchTimeInterval { .nanoseconds(Int(nanoseconds)) }
}
