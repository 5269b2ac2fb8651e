@usableFromInline struct CombineLatest<Left, Right, Failure: Error>: Join {
  @usableFromInline typealias LeftFailure = Failure
  @usableFromInline typealias RightFailure = Failure
  @usableFromInline typealias Output = (Left, Right)

  @inlinable init() {}

  @inlinable static var startsRightFirst: Bool { false }

  @usableFromInline struct Memory {
    @usableFromInline var left: Left?
    @usableFromInline var right: Right?
    @usableFromInline var oneHasCompleted = false

    @inlinable init() {}
  }

  @inlinable func observers<Downstream: Receiver<(Left, Right), Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Left, Failure>, Observer<Right, Failure>) {
    let link = Link(Memory(), downstream)
    let left = Observer<Left, Failure>(
      link: link,
      value: { link, value in
        link.memory.left = value
        if let right = link.memory.right { link.downstream.receive((value, right)) }
      },
      ending: { CombineLatest.end($0, $1) })
    let right = Observer<Right, Failure>(
      link: link,
      value: { link, value in
        link.memory.right = value
        if let left = link.memory.left { link.downstream.receive((left, value)) }
      },
      ending: { CombineLatest.end($0, $1) })
    return (left, right)
  }

  @inlinable static func end<Downstream: Receiver<(Left, Right), Failure>>(
    _ link: Link<Memory, Downstream>, _ ending: Ending<Failure>
  ) {
    if case .completed = ending, !link.memory.oneHasCompleted {
      link.memory.oneHasCompleted = true
    } else {
      link.downstream.end(ending)
    }
  }
}

extension Signal {
  /// The latest values of this signal and another, after each value of either once both have one.
  ///
  /// Completes when both have. A failure or an interruption of either ends it at once.
  @inlinable public func combineLatest<U>(with other: Signal<U, Failure>) -> Signal<(Value, U), Failure> {
    apply(CombineLatest(), with: other)
  }

  /// The latest values of two signals; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>
  ) -> Signal<(Value, B), Failure> {
    a.combineLatest(with: b)
  }
}

extension SignalProducer {
  /// The latest values of this producer and another, after each value of either once both have one.
  ///
  /// Completes when both have. A failure or an interruption of either ends it at once.
  @inlinable public func combineLatest<U>(
    with other: SignalProducer<U, Failure>
  ) -> SignalProducer<(Value, U), Failure> {
    apply(CombineLatest(), with: other)
  }

  /// The latest values of this producer and another; see `combineLatest(with:)`.
  @inlinable public func combineLatest<Other: SignalProducerConvertible>(
    with other: Other
  ) -> SignalProducer<(Value, Other.Value), Failure> where Other.Error == Failure {
    combineLatest(with: other.producer)
  }

  /// The latest values of two producers; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<A: SignalProducerConvertible, B: SignalProducerConvertible>(
    _ a: A, _ b: B
  ) -> SignalProducer<(Value, B.Value), Failure> where A.Value == Value, A.Error == Failure, B.Error == Failure {
    a.producer.combineLatest(with: b.producer)
  }
}
