/// Drops values for a while: those that come before the moment at which it is over.
struct SkipFor<Input, Failure: Error>: Operator {
  let interval: Duration
  let scheduler: any DateScheduler

  func observer<Downstream: Receiver<Input, Failure>>(for downstream: Downstream) -> Observer<Input, Failure> {
    Observer(
      link: Link(scheduler.currentDate + interval as Instant?, downstream),
      value: { link, value in
        if let end = link.memory {
          guard scheduler.currentDate >= end else { return }
          link.memory = nil
        }
        link.downstream.receive(value)
      },
      ending: { $0.downstream.end($1) })
  }
}

extension Signal {
  /// The values without those of the first `interval` seconds.
  public func skip(for interval: Double, on scheduler: any DateScheduler) -> Signal<Value, Failure> {
    apply(SkipFor(interval: .timeInterval(interval), scheduler: scheduler))
  }
}

extension SignalProducer {
  /// The values without those of the first `interval` seconds.
  public func skip(for interval: Double, on scheduler: any DateScheduler) -> SignalProducer<Value, Failure> {
    apply(SkipFor(interval: .timeInterval(interval), scheduler: scheduler))
  }
}
