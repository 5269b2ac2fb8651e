extension SignalProducer {
  /// A value, sent when this has sent something or completed; then it completes.
  fileprivate func announcing<Late>(_ value: Late) -> SignalProducer<Late, Failure> {
    take(first: 1).then(SignalProducer<Late, Failure>(value: value))
  }
}

extension Signal {
  /// Each value as soon as what `trigger` makes of it sends something or completes; Rx's `delayWhen`.
  ///
  /// A failure of a trigger ends it at once; a value whose trigger is interrupted is dropped. Completes when this
  /// signal has and no value is held any more.
  ///
  /// - Parameter trigger: Makes the stream that a value waits for.
  public func delay<Trigger: SignalProducerConvertible>(
    when trigger: @escaping (Value) -> Trigger
  ) -> Signal<Value, Failure> where Trigger.Error == Failure {
    flatMap(.merge) { trigger($0).producer.announcing($0) }
  }
}

extension SignalProducer {
  /// Each value as soon as what `trigger` makes of it sends something or completes; Rx's `delayWhen`.
  ///
  /// A failure of a trigger ends it at once; a value whose trigger is interrupted is dropped. Completes when this
  /// producer has and no value is held any more.
  ///
  /// - Parameter trigger: Makes the stream that a value waits for.
  public func delay<Trigger: SignalProducerConvertible>(
    when trigger: @escaping (Value) -> Trigger
  ) -> SignalProducer<Value, Failure> where Trigger.Error == Failure {
    flatMap(.merge) { trigger($0).producer.announcing($0) }
  }
}
