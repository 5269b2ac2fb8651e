extension SignalProducer {
  /// This producer, its work delayed until `interval` after the start; Rx's `delaySubscription`.
  ///
  /// A run that is disposed of before that is interrupted at once, and its work never begins.
  ///
  /// - Parameters:
  ///   - interval: The time from a start to the beginning of the work.
  ///   - scheduler: The scheduler that measures the time and begins the work.
  public func delayStart(_ interval: Duration, on scheduler: any DateScheduler) -> SignalProducer<Value, Failure> {
    .joined { relay, run in
      Succession<Failure, Relay<Value, Failure>>(relay, in: run) { .end($0) }
        .advance(to: .followLater(self, after: interval, on: scheduler))
    }
  }
}
