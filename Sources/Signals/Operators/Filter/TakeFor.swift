/// Forwards values for an interval, then completes.
struct TakeFor<Input, Failure: Error>: ScopedOperator {
  let interval: Duration
  let scheduler: any DateScheduler

  func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    let link = TimedLink(NoMemory(), downstream, scope, scheduler) { $0.downstream.end(.completed) }
    if !link.isRestored { link.wait(until: scheduler.currentDate + interval) }
    return Observer(link: link, value: { $0.downstream.receive($1) }, ending: { $0.downstream.end($1) })
  }
}

extension Signal {
  /// The values of the next `interval`; then it completes.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, after which it completes.
  ///   - scheduler: The scheduler that measures the time and emits the completion.
  public func take(for interval: Duration, on scheduler: any DateScheduler) -> Signal<Value, Failure> {
    apply(TakeFor(interval: interval, scheduler: scheduler))
  }
}

extension SignalProducer {
  /// The values of the next `interval`; then it completes.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, after which it completes.
  ///   - scheduler: The scheduler that measures the time and emits the completion.
  public func take(for interval: Duration, on scheduler: any DateScheduler) -> SignalProducer<Value, Failure> {
    apply(TakeFor(interval: interval, scheduler: scheduler))
  }
}
