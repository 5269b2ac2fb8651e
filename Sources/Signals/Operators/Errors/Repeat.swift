extension SignalProducer {
  /// This producer, restarted at once when it has completed, `count` runs in all; no run if that is 0.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable public func `repeat`(_ count: Int) -> SignalProducer<Value, Failure> {
    precondition(count >= 0, "a count cannot be negative")
    guard count != 1 else { return self }
    guard count > 0 else { return .empty }
    return continued {
      var left = count
      return { ending in
        guard case .completed = ending else { return .end(ending) }
        if left < .max { left -= 1 }
        return left > 0 ? .follow(self) : .end(.completed)
      }
    }
  }

  /// This producer, restarted at once whenever it has completed.
  @inlinable public func `repeat`() -> SignalProducer<Value, Failure> { `repeat`(.max) }

  /// This producer, `count` runs in all; ReactiveCocoa 4's name of `repeat(_:)`.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable public func times(_ count: Int) -> SignalProducer<Value, Failure> { `repeat`(count) }

  /// This producer, restarted after a pause when it has completed, `count` runs in all.
  ///
  /// - Parameters:
  ///   - count: The total number of runs; unlimited by default.
  ///   - interval: The time from a completion to the next start.
  ///   - scheduler: The scheduler that measures the pause and restarts the producer.
  /// - Precondition: Neither `count` nor `interval` is negative.
  public func `repeat`(
    _ count: Int = .max, interval: Duration, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    precondition(count >= 0 && interval >= .zero, "neither a count nor a pause can be negative")
    guard count > 0 else { return .empty }
    return continued {
      var left = count
      return { ending in
        guard case .completed = ending else { return .end(ending) }
        if left < .max { left -= 1 }
        return left > 0 ? .followLater(self, after: interval, on: scheduler) : .end(.completed)
      }
    }
  }
}
