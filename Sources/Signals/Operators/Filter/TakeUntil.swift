@usableFromInline struct TakeUntil<Left, Failure: Error>: Join {
  @usableFromInline typealias LeftFailure = Failure
  @usableFromInline typealias Right = ()
  @usableFromInline typealias RightFailure = Never
  @usableFromInline typealias Output = Left

  @inlinable init() {}

  @inlinable static var startsRightFirst: Bool { true }

  @inlinable func observers<Downstream: Receiver<Left, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Left, Failure>, Observer<(), Never>) {
    let left = Observer<Left, Failure>(link: downstream, value: { $0.receive($1) }, ending: { $0.end($1) })
    let right = Observer<(), Never>(
      link: downstream, value: { downstream, _ in downstream.end(.completed) },
      ending: { if case .completed = $1 { $0.end(.completed) } })
    return (left, right)
  }
}

extension Signal {
  /// The values until the trigger emits a value or completes; then it completes.
  @inlinable public func take(until trigger: Signal<(), Never>) -> Signal<Value, Failure> {
    apply(TakeUntil(), with: trigger)
  }
}

extension SignalProducer {
  /// The values until the trigger emits a value or completes; then it completes.
  @inlinable public func take(until trigger: SignalProducer<(), Never>) -> SignalProducer<Value, Failure> {
    apply(TakeUntil(), with: trigger)
  }

  /// The values until a convertible source emits a value or completes; then it completes.
  @inlinable public func take<Trigger: SignalProducerConvertible>(
    until trigger: Trigger
  ) -> SignalProducer<Value, Failure> where Trigger.Value == (), Trigger.Error == Never {
    take(until: trigger.producer)
  }
}
