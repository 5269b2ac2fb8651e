extension DateScheduler where Self: Sendable {
  /// Returns once `interval` has passed on this scheduler's clock; throws if the task is cancelled.
  public func sleep(for interval: Duration) async throws(CancellationError) {
    try await sleep(until: currentDate + interval)
  }

  /// Returns once this scheduler's clock shows `deadline`; throws if the task is cancelled.
  public func sleep(until deadline: Instant) async throws(CancellationError) {
    let timer = SerialDisposable()
    let sleeper = Sleeper()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        sleeper.begin(continuation)
        timer.inner = schedule(after: deadline) { sleeper.wake() }
      }
    } onCancel: {
      timer.dispose()
      sleeper.wake()
    }
    if Task.isCancelled { throw CancellationError() }
  }

  /// This scheduler's time every `interval`, first after one, until the iterating task is cancelled or stops.
  ///
  /// Only the last time is buffered for a task that falls behind.
  ///
  /// - Parameters:
  ///   - interval: The time between two values.
  ///   - leeway: The delay a value may have, so that wakeups can be coalesced.
  public func timer(interval: Duration, leeway: Duration = .zero) -> AsyncStream<Instant> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let timer = schedule(after: interval, interval: interval, leeway: leeway) {
        continuation.yield(self.currentDate)
      }
      continuation.onTermination = { _ in timer?.dispose() }
    }
  }
}

/// A task that waits for one wakeup; an early wakeup counts.
final class Sleeper: @unchecked Sendable {
  private let lock = FutexLock()
  private var continuation: CheckedContinuation<Void, Never>?
  private var isAwake = false

  func begin(_ continuation: CheckedContinuation<Void, Never>) {
    let isLate = lock.withLock {
      if !isAwake { self.continuation = continuation }
      return isAwake
    }
    if isLate { continuation.resume() }
  }

  func wake() {
    let sleeping = lock.withLock {
      isAwake = true
      defer { continuation = nil }
      return continuation
    }
    sleeping?.resume()
  }
}
