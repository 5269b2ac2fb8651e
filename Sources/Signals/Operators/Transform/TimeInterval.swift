/// The time before each value.
@usableFromInline struct TimeInterval<Input, Failure: Error>: Operator {
  @usableFromInline typealias Output = (after: Duration, value: Input)
  @usableFromInline let scheduler: any DateScheduler

  @inlinable init(_ scheduler: any DateScheduler) { self.scheduler = scheduler }

  @inlinable func observer<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(
      link: Link(scheduler.currentDate, downstream),
      value: { [scheduler] link, value in
        let now = scheduler.currentDate
        let elapsed = now - link.memory
        link.memory = now
        link.downstream.receive((elapsed, value))
      },
      ending: { $0.downstream.end($1) })
  }
}

extension Signal {
  /// Each value with the time since the one before it; the first since the operator was applied.
  ///
  /// Rx's `timeInterval`.
  ///
  /// - Parameter scheduler: The scheduler whose clock is read.
  @inlinable public func timeInterval(
    on scheduler: any DateScheduler
  ) -> Signal<(after: Duration, value: Value), Failure> {
    apply(TimeInterval(scheduler))
  }
}

extension SignalProducer {
  /// Each value with the time since the one before it; the first since the run was started.
  ///
  /// Rx's `timeInterval`.
  ///
  /// - Parameter scheduler: The scheduler whose clock is read.
  @inlinable public func timeInterval(
    on scheduler: any DateScheduler
  ) -> SignalProducer<(after: Duration, value: Value), Failure> {
    apply(TimeInterval(scheduler))
  }
}
