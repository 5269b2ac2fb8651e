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
  public func timeout(
    after interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    mapError(Lateness.failed).timeout(after: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// The same events, or those of a producer if no value has come after `interval`.
  public func timeout(
    first interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    mapError(Lateness.failed).timeout(first: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// The same events, or those of a producer from then on once no value has come for `interval`.
  public func timeout(
    gap interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    mapError(Lateness.failed).timeout(gap: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }
}

extension SignalProducer {
  /// The same events, or those of another producer from then on if it has not ended after `interval`.
  public func timeout(
    after interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    mapError(Lateness.failed).timeout(after: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// The same events, or those of another producer if no value has come after `interval`.
  public func timeout(
    first interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    mapError(Lateness.failed).timeout(first: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }

  /// The same events, or those of another producer from then on once no value has come for `interval`.
  public func timeout(
    gap interval: Duration, fallback: SignalProducer<Value, Failure>, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    mapError(Lateness.failed).timeout(gap: interval, raising: .late, on: scheduler)
      .flatMapError { $0.replaced(by: fallback) }
  }
}
