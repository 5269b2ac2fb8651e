/// Emits the latest value at the end of a span that begins with a value.
struct Audit<Input, Failure: Error>: ScopedOperator {
  let interval: Duration
  let scheduler: any DateScheduler

  func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    Observer(
      link: TimedLink(nil as Input?, downstream, scope, scheduler, whenDue: send),
      value: { link, value in
        let isWaiting = link.memory != nil
        link.memory = value
        if !isWaiting { link.wait(until: scheduler.currentDate + interval) }
      },
      ending: { $0.end($1, complete: send) })
  }

  private func send<Downstream: Receiver<Input, Failure>>(_ link: TimedLink<Input?, Downstream>) {
    guard let value = link.memory else { return }
    link.memory = nil
    link.downstream.receive(value)
  }
}

extension Signal {
  /// The latest value at the end of a span of `interval` that begins with the first value outside of one.
  ///
  /// A value held when the signal completes is emitted before the completion; other endings drop it. Rx's `auditTime`.
  ///
  /// - Parameters:
  ///   - interval: The length of a span.
  ///   - scheduler: The scheduler that measures the time and emits values and completion.
  public func audit(_ interval: Duration, on scheduler: any DateScheduler) -> Signal<Value, Failure> {
    apply(Audit(interval: interval, scheduler: scheduler))
  }
}

extension SignalProducer {
  /// The latest value at the end of a span of `interval` that begins with the first value outside of one.
  ///
  /// A value held when the producer completes is emitted before the completion; other endings drop it. Rx's
  /// `auditTime`.
  ///
  /// - Parameters:
  ///   - interval: The length of a span.
  ///   - scheduler: The scheduler that measures the time and emits values and completion.
  public func audit(_ interval: Duration, on scheduler: any DateScheduler) -> SignalProducer<Value, Failure> {
    apply(Audit(interval: interval, scheduler: scheduler))
  }
}
