public import Dispatch

/// Carries work out on a serial Dispatch queue.
///
/// Its clock is the monotonic one of the system, so that putting the system's time right moves neither a debounce nor a
/// timeout; a scheduler that is to wait for a time of day is made with the wall clock. See ``SystemClock``.
///
/// Work need not be `Sendable`, since it is carried out one piece after the other, but what it captures must not be
/// used elsewhere meanwhile.
public final class QueueScheduler: DateScheduler, Sendable {
  /// The queue that carries the work out.
  public let queue: DispatchQueue

  /// The clock that the scheduler goes by.
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
  ///   - qos: How urgent its work is.
  ///   - name: The queue's label, which debuggers show.
  ///   - target: The queue that carries the work out; one that Dispatch chooses if nothing is said.
  ///   - systemClock: The clock that the scheduler goes by.
  public init(
    qos: DispatchQoS = .unspecified, name: String = "reactive.queue", targeting target: DispatchQueue? = nil,
    systemClock: SystemClock = .monotonic
  ) {
    queue = DispatchQueue(label: name, qos: qos, target: target)
    self.systemClock = systemClock
  }

  /// A scheduler with a serial queue of its own, whose work `queue` carries out.
  ///
  /// - Parameters:
  ///   - queue: The queue that carries the work out.
  ///   - name: The label of the serial queue, which debuggers show.
  ///   - systemClock: The clock that the scheduler goes by.
  public convenience init(
    queue: DispatchQueue, name: String = "reactive.queue", systemClock: SystemClock = .monotonic
  ) {
    self.init(name: name, targeting: queue, systemClock: systemClock)
  }

  /// The present instant of the scheduler's clock.
  public var currentDate: Instant { systemClock.now }

  /// Carries `action` out when its turn comes; disposing of the result before that prevents it.
  @discardableResult public func schedule(_ action: @escaping () -> Void) -> (any Disposable)? {
    let work = ScheduledWork(action)
    queue.async { work.carryOut() }
    return work
  }

  /// Carries `action` out at `date`, or as soon as possible if that has passed.
  @discardableResult public func schedule(after date: Instant, action: @escaping () -> Void) -> (any Disposable)? {
    let work = ScheduledWork(action)
    switch systemClock {
    case .monotonic: queue.asyncAfter(deadline: .now() + wait(until: date)) { work.carryOut() }
    case .wall: queue.asyncAfter(wallDeadline: .now() + wait(until: date)) { work.carryOut() }
    }
    return work
  }

  /// Carries `action` out at `date` and every `interval` after that, until the result is disposed of.
  ///
  /// - Precondition: `interval` is longer than nothing, and `leeway` is not negative.
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
    // The handler keeps the timer going until it is cancelled, whether or not anybody keeps the result.
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
