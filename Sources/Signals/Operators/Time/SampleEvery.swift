/// Sends the latest value at regular intervals.
struct SampleEvery<Input, Failure: Error>: ScopedOperator {
  let interval: Duration
  let isRepeating: Bool
  let scheduler: any DateScheduler

  func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    let link = TimedLink(Input?.none, downstream, scope, scheduler) { link in
      guard let latest = link.memory else { return }
      if !isRepeating { link.memory = nil }
      link.downstream.receive(latest)
    }
    link.tick(every: interval)
    return Observer(
      link: link, value: { $0.memory = $1 },
      ending: { link, ending in
        link.stopWaiting()
        link.downstream.end(ending)
      })
  }
}

extension Signal {
  /// The latest value every `interval`, the first time after one interval; Rx's `sampleTime`.
  ///
  /// A value is emitted again if there was no other, unless `repeating` is false. Ends when this signal does.
  ///
  /// - Parameters:
  ///   - interval: The time between two values.
  ///   - repeating: Pass `false` to emit each value at most once.
  ///   - scheduler: The scheduler that measures the time and emits the values.
  /// - Precondition: `interval` is positive.
  public func sample(
    every interval: Duration, repeating: Bool = true, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    precondition(interval > .zero, "an interval must be longer than nothing")
    return apply(SampleEvery(interval: interval, isRepeating: repeating, scheduler: scheduler))
  }
}

extension SignalProducer {
  /// The latest value every `interval`, the first time after one interval; Rx's `sampleTime`.
  ///
  /// A value is emitted again if there was no other, unless `repeating` is false. Ends when this producer does.
  ///
  /// - Parameters:
  ///   - interval: The time between two values.
  ///   - repeating: Pass `false` to emit each value at most once.
  ///   - scheduler: The scheduler that measures the time and emits the values.
  /// - Precondition: `interval` is positive.
  public func sample(
    every interval: Duration, repeating: Bool = true, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    precondition(interval > .zero, "an interval must be longer than nothing")
    return apply(SampleEvery(interval: interval, isRepeating: repeating, scheduler: scheduler))
  }
}
