/// Fails if the source takes too long.
struct Timeout<Input, Failure: Error>: ScopedOperator {
  /// The timed part of the source.
  enum Limited {
    /// All of it, up to the ending.
    case total
    /// The first value.
    case first
    /// Each value.
    case gap
  }

  let limited: Limited
  let interval: Duration
  let error: Failure
  let scheduler: any DateScheduler

  func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    let link = TimedLink(
      scheduler.currentDate + interval, downstream, scope, scheduler, whenDue: timeHasCome)
    if !link.isRestored { link.wait(until: link.memory) }
    return Observer(
      link: link,
      value: { link, value in
        switch limited {
        case .total: break
        case .first: link.stopWaiting()
        case .gap: link.memory = scheduler.currentDate + interval
        }
        link.downstream.receive(value)
      },
      ending: { $0.downstream.end($1) })
  }

  /// Fails, or waits again if values have postponed the deadline.
  private func timeHasCome<Downstream: Receiver<Input, Failure>>(_ link: TimedLink<Instant, Downstream>) {
    if link.memory <= link.moment {
      link.downstream.end(.failed(error))
    } else {
      link.wait(until: link.memory)
    }
  }
}

extension Signal {
  /// All events, or a failure if it has not ended after `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, within which it must end.
  ///   - error: The error if it takes longer.
  ///   - scheduler: The scheduler that measures the time and emits the failure.
  public func timeout(
    after interval: Duration, raising error: Failure, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    apply(Timeout(limited: .total, interval: interval, error: error, scheduler: scheduler))
  }

  /// All events, or a failure if there was no value within `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, within which there must be a value.
  ///   - error: The error if it takes longer.
  ///   - scheduler: The scheduler that measures the time and emits the failure.
  public func timeout(
    first interval: Duration, raising error: Failure, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    apply(Timeout(limited: .first, interval: interval, error: error, scheduler: scheduler))
  }

  /// All events, or a failure once there was no value for `interval`, from the beginning.
  ///
  /// Rx's `timeout`.
  ///
  /// - Parameters:
  ///   - interval: The longest time without a value.
  ///   - error: The error if it takes longer.
  ///   - scheduler: The scheduler that measures the time and emits the failure.
  public func timeout(
    gap interval: Duration, raising error: Failure, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    apply(Timeout(limited: .gap, interval: interval, error: error, scheduler: scheduler))
  }
}

extension Signal where Failure == Never {
  /// All events, or a failure if it has not ended after `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, within which it must end.
  ///   - error: The error if it takes longer.
  ///   - scheduler: The scheduler that measures the time and emits the failure.
  public func timeout<NewError>(
    after interval: Duration, raising error: NewError, on scheduler: any DateScheduler
  ) -> Signal<Value, NewError> {
    promoteError().timeout(after: interval, raising: error, on: scheduler)
  }
}

extension SignalProducer {
  /// All events, or a failure if it has not ended after `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, within which it must end.
  ///   - error: The error if it takes longer.
  ///   - scheduler: The scheduler that measures the time and emits the failure.
  public func timeout(
    after interval: Duration, raising error: Failure, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    apply(Timeout(limited: .total, interval: interval, error: error, scheduler: scheduler))
  }

  /// All events, or a failure if there was no value within `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, within which there must be a value.
  ///   - error: The error if it takes longer.
  ///   - scheduler: The scheduler that measures the time and emits the failure.
  public func timeout(
    first interval: Duration, raising error: Failure, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    apply(Timeout(limited: .first, interval: interval, error: error, scheduler: scheduler))
  }

  /// All events, or a failure once there was no value for `interval`, counted from the beginning.
  ///
  /// Rx's `timeout`.
  ///
  /// - Parameters:
  ///   - interval: The longest time without a value.
  ///   - error: The error if it takes longer.
  ///   - scheduler: The scheduler that measures the time and emits the failure.
  public func timeout(
    gap interval: Duration, raising error: Failure, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    apply(Timeout(limited: .gap, interval: interval, error: error, scheduler: scheduler))
  }
}

extension SignalProducer where Failure == Never {
  /// All events, or a failure if it has not ended after `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, within which it must end.
  ///   - error: The error if it takes longer.
  ///   - scheduler: The scheduler that measures the time and emits the failure.
  public func timeout<NewError>(
    after interval: Duration, raising error: NewError, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, NewError> {
    promoteError().timeout(after: interval, raising: error, on: scheduler)
  }
}
