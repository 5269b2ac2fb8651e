import CThread
public import Dispatch

/// Carries work out on a serial Dispatch queue; its clock is the system's, since the epoch.
///
/// Work need not be `Sendable`, since it is carried out one piece after the other, but what it captures must not be used
/// elsewhere meanwhile.
public final class QueueScheduler: DateScheduler, Sendable {
  /// The queue that carries the work out.
  public let queue: DispatchQueue

  /// The main queue's scheduler.
  public static let main = QueueScheduler(itself: .main)

  private init(itself queue: DispatchQueue) { self.queue = queue }

  /// A scheduler with a serial queue of its own.
  public init(qos: DispatchQoS = .unspecified, name: String = "reactive.queue", targeting target: DispatchQueue? = nil)
  {
    queue = DispatchQueue(label: name, qos: qos, target: target)
  }

  /// A scheduler with a serial queue of its own, whose work `queue` carries out.
  public convenience init(queue: DispatchQueue, name: String = "reactive.queue") {
    self.init(name: name, targeting: queue)
  }

  /// The time of the system's clock.
  public var currentDate: Instant { Instant(nanoseconds: signalbox_wall_clock()) }

  /// Carries `action` out when its turn comes; disposing of the result before that prevents it.
  @discardableResult public func schedule(_ action: @escaping () -> Void) -> (any Disposable)? {
    let work = ScheduledWork(action)
    queue.async { work.carryOut() }
    return work
  }

  /// Carries `action` out at `date`, or as soon as possible if that has passed.
  @discardableResult public func schedule(after date: Instant, action: @escaping () -> Void) -> (any Disposable)? {
    let work = ScheduledWork(action)
    queue.asyncAfter(wallDeadline: wallTime(date)) { work.carryOut() }
    return work
  }

  /// Carries `action` out at `date` and every `interval` after that, until the result is disposed of.
  @discardableResult public func schedule(
    after date: Instant, interval: Duration, leeway: Duration, action: @escaping () -> Void
  ) -> (any Disposable)? {
    precondition(interval > .zero && leeway >= .zero, "an interval must be longer than nothing")
    let work = ScheduledWork(action)
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      wallDeadline: wallTime(date), repeating: .nanoseconds(Int(interval.nanoseconds)),
      leeway: .nanoseconds(Int(leeway.nanoseconds)))
    // The handler keeps the timer going until it is cancelled, whether or not anybody keeps the result.
    timer.setEventHandler { withExtendedLifetime(timer) { work.carryOut(again: true) } }
    timer.resume()
    return AnyDisposable {
      work.dispose()
      timer.cancel()
    }
  }

  private func wallTime(_ date: Instant) -> DispatchWallTime {
    .now() + .nanoseconds(Int((date - currentDate).nanoseconds))
  }
}
