/// The reason to abandon a source: its own failure, or a timeout.
private enum Lateness<Failure: Error>: Error {
  case failed(Failure)
  case late

  func replaced<Value>(by fallback: SignalProducer<Value, Failure>) -> SignalProducer<Value, Failure> {
    if case .failed(let error) = self { SignalProducer(error: error) } else { fallback }
  }
}

extension Signal {
  /// All events, or those of a producer from then on if it has not ended after `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, within which it must end.
  ///   - fallback: The producer to continue with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    after interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    mapError(Lateness.failed).timeout(after: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// All events, or those of a producer if there was no value within `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, within which there must be a value.
  ///   - fallback: The producer to continue with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    first interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    mapError(Lateness.failed).timeout(first: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// All events, or those of a producer from then on once there was no value for `interval`.
  ///
  /// - Parameters:
  ///   - interval: The longest time without a value.
  ///   - fallback: The producer to continue with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    gap interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    mapError(Lateness.failed).timeout(gap: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }
}

extension SignalProducer {
  /// All events, or those of another producer from then on if it has not ended after `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, within which it must end.
  ///   - fallback: The producer to continue with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    after interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    mapError(Lateness.failed).timeout(after: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// All events, or those of another producer if there was no value within `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, within which there must be a value.
  ///   - fallback: The producer to continue with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    first interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    mapError(Lateness.failed).timeout(first: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// All events, or those of another producer from then on once there was no value for `interval`.
  ///
  /// - Parameters:
  ///   - interval: The longest time without a value.
  ///   - fallback: The producer to continue with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    gap interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    mapError(Lateness.failed).timeout(gap: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }
}
