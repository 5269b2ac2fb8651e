/// Why a source is left: because of its own failure, or because it took too long.
private enum Lateness<Failure: Error>: Error {
  case failed(Failure)
  case late

  func replaced<Value>(by fallback: SignalProducer<Value, Failure>) -> SignalProducer<Value, Failure> {
    if case .failed(let error) = self { SignalProducer(error: error) } else { fallback }
  }
}

extension Signal {
  /// The same events, or those of a producer from then on if it has not ended after `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, by which it must have ended.
  ///   - fallback: The producer to go on with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    after interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    mapError(Lateness.failed).timeout(after: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// The same events, or those of a producer if no value has come after `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, by which a value must have come.
  ///   - fallback: The producer to go on with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    first interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    mapError(Lateness.failed).timeout(first: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// The same events, or those of a producer from then on once no value has come for `interval`.
  ///
  /// - Parameters:
  ///   - interval: The longest time without a value.
  ///   - fallback: The producer to go on with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    gap interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    mapError(Lateness.failed).timeout(gap: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }
}

extension SignalProducer {
  /// The same events, or those of another producer from then on if it has not ended after `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, by which it must have ended.
  ///   - fallback: The producer to go on with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    after interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    mapError(Lateness.failed).timeout(after: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// The same events, or those of another producer if no value has come after `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, by which a value must have come.
  ///   - fallback: The producer to go on with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    first interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    mapError(Lateness.failed).timeout(first: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// The same events, or those of another producer from then on once no value has come for `interval`.
  ///
  /// - Parameters:
  ///   - interval: The longest time without a value.
  ///   - fallback: The producer to go on with if it takes longer.
  ///   - scheduler: The scheduler that measures the time and starts the fallback.
  public func timeout(
    gap interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    mapError(Lateness.failed).timeout(gap: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }
}
