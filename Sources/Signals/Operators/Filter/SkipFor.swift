/// Drops values for a while.
///
/// A value at the very end of the span is dropped, too: the inputs of an instant precede its timers, so that
/// `take(for:)` still emits that value, and exactly one of the two emits it.
struct SkipFor<Input, Failure: Error>: Operator {
  let interval: Duration
  let scheduler: any DateScheduler

  func observer<Downstream: Receiver<Input, Failure>>(for downstream: Downstream) -> Observer<Input, Failure> {
    Observer(
      link: Link(interval > .zero ? scheduler.currentDate + interval : nil as Instant?, downstream),
      value: { link, value in
        if let end = link.memory {
          guard scheduler.currentDate > end else { return }
          link.memory = nil
        }
        link.downstream.receive(value)
      },
      ending: { $0.downstream.end($1) })
  }
}

extension Signal {
  /// The values without those of the first `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, in which values are dropped.
  ///   - scheduler: The scheduler whose clock is read; values are emitted on the thread that delivers them.
  public func skip(for interval: Duration, on scheduler: any DateScheduler) -> Signal<Value, Failure> {
    apply(SkipFor(interval: interval, scheduler: scheduler))
  }
}

extension SignalProducer {
  /// The values without those of the first `interval`.
  ///
  /// - Parameters:
  ///   - interval: The time, from now or from the start of a run, in which values are dropped.
  ///   - scheduler: The scheduler whose clock is read; values are emitted on the thread that delivers them.
  public func skip(for interval: Duration, on scheduler: any DateScheduler) -> SignalProducer<Value, Failure> {
    apply(SkipFor(interval: interval, scheduler: scheduler))
  }
}
