@usableFromInline struct SkipUntil<Left, Failure: Error>: Join {
  @usableFromInline typealias LeftFailure = Failure
  @usableFromInline typealias Right = ()
  @usableFromInline typealias RightFailure = Never
  @usableFromInline typealias Output = Left

  @inlinable init() {}

  @inlinable static var startsRightFirst: Bool { true }

  @inlinable func observers<Downstream: Receiver<Left, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Left, Failure>, Observer<(), Never>) {
    let link = Link(false, downstream)
    let left = Observer<Left, Failure>(
      link: link, value: { link, value in if link.memory { link.downstream.receive(value) } },
      ending: { $0.downstream.end($1) })
    let right = Observer<(), Never>(
      link: link, value: { link, _ in link.memory = true },
      ending: { if case .completed = $1 { $0.memory = true } })
    return (left, right)
  }
}

extension Signal {
  /// The values after the trigger has emitted a value or completed.
  @inlinable public func skip(until trigger: Signal<(), Never>) -> Signal<Value, Failure> {
    apply(SkipUntil(), with: trigger)
  }
}

extension SignalProducer {
  /// The values after the trigger has emitted a value or completed.
  @inlinable public func skip(until trigger: SignalProducer<(), Never>) -> SignalProducer<Value, Failure> {
    apply(SkipUntil(), with: trigger)
  }

  /// The values after a convertible source has emitted a value or completed.
  @inlinable public func skip<Trigger: SignalProducerConvertible>(
    until trigger: Trigger
  ) -> SignalProducer<Value, Failure> where Trigger.Value == (), Trigger.Error == Never {
    skip(until: trigger.producer)
  }
}
