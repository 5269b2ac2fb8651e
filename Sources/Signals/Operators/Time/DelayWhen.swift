extension SignalProducer {
  /// Returns a producer that emits `value` once this has emitted something or completed, then completes.
  fileprivate func announcing<Late>(_ value: Late) -> SignalProducer<Late, Failure> {
    take(first: 1).then(SignalProducer<Late, Failure>(value: value))
  }
}

extension Signal {
  /// Each value as soon as the stream that `trigger` makes of it emits or completes; Rx's `delayWhen`.
  ///
  /// A failure of a trigger ends it at once; a value whose trigger is interrupted is dropped. It completes when this
  /// signal has completed and no value is held.
  ///
  /// - Parameter trigger: Makes the stream that a value waits for.
  public func delay<Trigger: SignalProducerConvertible>(
    when trigger: @escaping (Value) -> Trigger
  ) -> Signal<Value, Failure> where Trigger.Error == Failure {
    flatMap(.merge) { trigger($0).producer.announcing($0) }
  }
}

extension SignalProducer {
  /// Each value as soon as the stream that `trigger` makes of it emits or completes; Rx's `delayWhen`.
  ///
  /// A failure of a trigger ends it at once; a value whose trigger is interrupted is dropped. It completes when this
  /// producer has completed and no value is held.
  ///
  /// - Parameter trigger: Makes the stream that a value waits for.
  public func delay<Trigger: SignalProducerConvertible>(
    when trigger: @escaping (Value) -> Trigger
  ) -> SignalProducer<Value, Failure> where Trigger.Error == Failure {
    flatMap(.merge) { trigger($0).producer.announcing($0) }
  }
}
