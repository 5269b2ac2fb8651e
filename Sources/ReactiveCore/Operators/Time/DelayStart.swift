extension SignalProducer {
  /// The same producer, whose work begins `interval` seconds after it was started; Rx's `delaySubscription`.
  ///
  /// A run that is disposed of before that is interrupted at once, and its work never begins.
  public func delayStart(_ interval: Double, on scheduler: any DateScheduler) -> SignalProducer<Value, Failure> {
    .joined { relay, run in
      Succession<Failure, Relay<Value, Failure>>(relay, in: run) { .end($0) }
        .advance(to: .followLater(self, after: .timeInterval(interval), on: scheduler))
    }
  }
}
