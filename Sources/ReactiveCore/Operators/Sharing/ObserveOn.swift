public import Signals

/// Delivers each event on a scheduler.
struct ObserveOn<Input, Failure: Error>: ScopedOperator {
  let scheduler: any Scheduler

  var deliverer: (any Scheduler)? { scheduler }

  func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    Observer(
      link: downstream,
      value: { downstream, value in
        scheduler.schedule { scope.perform { downstream.receive(value) } }
      },
      ending: { downstream, ending in
        scheduler.schedule { scope.perform { downstream.end(ending) } }
      })
  }
}

extension Signal {
  /// All events, delivered by a scheduler in their order.
  public func observe(on scheduler: any Scheduler) -> Signal<Value, Failure> {
    apply(ObserveOn(scheduler: scheduler))
  }
}

extension SignalProducer {
  /// All events, delivered by a scheduler in their order.
  public func observe(on scheduler: any Scheduler) -> SignalProducer<Value, Failure> {
    apply(ObserveOn(scheduler: scheduler))
  }
}
