/// Forwards events until a lifetime ends, then completes.
struct TakeDuring<Input, Failure: Error>: ScopedOperator {
  let lifetime: Lifetime

  func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    // The lifetime may be long: its reference to this is released with the scope.
    let membership = lifetime.observeEnded { [weak downstream] in
      scope.perform { downstream?.end(.completed) }
    }
    if let membership { scope.hold(membership) }
    return Observer(link: downstream, value: { $0.receive($1) }, ending: { $0.end($1) })
  }
}

extension Signal {
  /// The values until the lifetime ends; then it completes.
  public func take(during lifetime: Lifetime) -> Signal<Value, Failure> { apply(TakeDuring(lifetime: lifetime)) }
}

extension SignalProducer {
  /// The values until the lifetime ends; then it completes.
  public func take(during lifetime: Lifetime) -> SignalProducer<Value, Failure> {
    apply(TakeDuring(lifetime: lifetime))
  }
}
