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
      link: link, value: { $0.memory = $1 }, ending: { _, _ in })
    return (left, right)
  }
}

extension Signal {
  /// Each value together with the latest of another signal, once that has one.
  ///
  /// Ends with this signal, not with the other. Rx's `withLatestFrom`.
  @inlinable public func withLatest<U>(from samplee: Signal<U, Never>) -> Signal<(Value, U), Failure> {
    apply(WithLatest(), with: samplee)
  }

  /// Each value together with the latest of a producer, which is started at once; see `withLatest(from:)`.
  @inlinable public func withLatest<U>(from samplee: SignalProducer<U, Never>) -> Signal<(Value, U), Failure> {
    Signal<(Value, U), Failure>.joined { derived, scope in
      let (left, right) = WithLatest<Value, U, Failure>().observers(for: derived, in: scope)
      samplee.feed(right, in: scope)
      feed(left, in: scope)
    }
  }

  /// Each value together with the latest of a source that converts to a producer; see `withLatest(from:)`.
  @inlinable public func withLatest<Samplee: SignalProducerConvertible>(
    from samplee: Samplee
  ) -> Signal<(Value, Samplee.Value), Failure> where Samplee.Error == Never {
    withLatest(from: samplee.producer)
  }
}

extension SignalProducer {
  /// Each value together with the latest of another producer, once that has one.
  ///
  /// Ends with this producer, not with the other. Rx's `withLatestFrom`.
  @inlinable public func withLatest<U>(from samplee: SignalProducer<U, Never>) -> SignalProducer<(Value, U), Failure> {
    apply(WithLatest(), with: samplee)
  }

  /// Each value together with the latest of a source that converts to a producer; see `withLatest(from:)`.
  @inlinable public func withLatest<Samplee: SignalProducerConvertible>(
    from samplee: Samplee
  ) -> SignalProducer<(Value, Samplee.Value), Failure> where Samplee.Error == Never {
    withLatest(from: samplee.producer)
  }
}
