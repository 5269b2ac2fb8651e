@usableFromInline struct TakeUntilReplacement<Left, Failure: Error>: Join {
  @usableFromInline typealias LeftFailure = Failure
  @usableFromInline typealias Right = Left
  @usableFromInline typealias RightFailure = Failure
  @usableFromInline typealias Output = Left

  @inlinable init() {}

  @inlinable static var startsRightFirst: Bool { false }

  @inlinable func observers<Downstream: Receiver<Left, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Left, Failure>, Observer<Left, Failure>) {
    let link = Link(false, downstream)
    let left = Observer<Left, Failure>(
      link: link, value: { link, value in if !link.memory { link.downstream.receive(value) } },
      ending: { link, ending in
        if case .completed = ending { return }
        if !link.memory { link.downstream.end(ending) }
      })
    let right = Observer<Left, Failure>(
      link: link,
      value: { link, value in
        link.memory = true
        link.downstream.receive(value)
      },
      ending: { $0.downstream.end($1) })
    return (left, right)
  }
}

extension Signal {
  /// The values of this signal until another emits an event, then those of the other; ends with the other.
  @inlinable public func take(untilReplacement replacement: Signal<Value, Failure>) -> Signal<Value, Failure> {
    apply(TakeUntilReplacement(), with: replacement)
  }
}

extension SignalProducer {
  /// The values of this producer until another emits an event, then those of the other; ends with the other.
  @inlinable public func take(untilReplacement replacement: SignalProducer<Value, Failure>) -> SignalProducer<
    Value, Failure
  > {
    apply(TakeUntilReplacement(), with: replacement)
  }

  /// The values of this producer until a convertible source emits an event, then those of the other.
  @inlinable public func take<Replacement: SignalProducerConvertible>(
    untilReplacement replacement: Replacement
  ) -> SignalProducer<Value, Failure> where Replacement.Value == Value, Replacement.Error == Failure {
    take(untilReplacement: replacement.producer)
  }
}
