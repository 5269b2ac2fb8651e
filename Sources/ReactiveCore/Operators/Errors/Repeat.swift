extension SignalProducer {
  /// The same producer, started again at once when it has completed, `count` runs in all; none if that is 0.
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

  /// The same producer, started again at once whenever it has completed.
  @inlinable public func `repeat`() -> SignalProducer<Value, Failure> { `repeat`(.max) }

  /// The same producer, `count` runs in all; ReactiveCocoa 4's name of `repeat(_:)`.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable public func times(_ count: Int) -> SignalProducer<Value, Failure> { `repeat`(count) }

  /// The same producer, started again after a pause when it has completed, `count` runs in all.
  ///
  /// - Parameters:
  ///   - count: How many runs there are in all; without a limit if nothing is said.
  ///   - interval: The time from a completion to the next start.
  ///   - scheduler: The scheduler that measures the pause and starts the producer again.
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
