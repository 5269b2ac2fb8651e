@usableFromInline struct WithLatest<Left, Right, Failure: Error>: Join {
  @usableFromInline typealias LeftFailure = Failure
  @usableFromInline typealias RightFailure = Never
  @usableFromInline typealias Output = (Left, Right)

  @inlinable init() {}

  @inlinable static var startsRightFirst: Bool { true }

  @inlinable func observers<Downstream: Receiver<(Left, Right), Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Left, Failure>, Observer<Right, Never>) {
    let link = Link<Right?, Downstream>(nil, downstream)
    let left = Observer<Left, Failure>(
      link: link,
      value: { link, value in
        if let right = link.memory { link.downstream.receive((value, right)) }
      },
      ending: { $0.downstream.end($1) })
    let right = Observer<Right, Never>(
      link: link, value: { $0.memory = $1 },
      ending: { if case .interrupted = $1 { $0.downstream.end(.interrupted) } })
    return (left, right)
  }
}

extension Signal {
  /// Each value together with the latest of another signal, once that has one.
  ///
  /// Completes with this signal, not with the other; is interrupted with either.
  @inlinable public func withLatest<U>(from samplee: Signal<U, Never>) -> Signal<(Value, U), Failure> {
    apply(WithLatest(), with: samplee)
  }
}

extension SignalProducer {
  /// Each value together with the latest of another producer, once that has one.
  ///
  /// Completes with this producer, not with the other; is interrupted with either.
  @inlinable public func withLatest<U>(from samplee: SignalProducer<U, Never>) -> SignalProducer<(Value, U), Failure> {
    apply(WithLatest(), with: samplee)
  }
}
