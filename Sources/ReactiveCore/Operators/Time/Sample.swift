@usableFromInline struct Sample<Left, Right, Failure: Error>: Join {
  @usableFromInline typealias LeftFailure = Failure
  @usableFromInline typealias RightFailure = Never
  @usableFromInline typealias Output = (Left, Right)

  @inlinable init() {}

  @inlinable static var startsRightFirst: Bool { false }

  @usableFromInline struct Memory {
    @usableFromInline var latest: Left?
    @usableFromInline var oneHasCompleted = false

    @inlinable init() {}
  }

  @inlinable func observers<Downstream: Receiver<(Left, Right), Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Left, Failure>, Observer<Right, Never>) {
    let link = Link(Memory(), downstream)
    let left = Observer<Left, Failure>(link: link, value: { $0.memory.latest = $1 }, ending: { Sample.end($0, $1) })
    let right = Observer<Right, Never>(
      link: link,
      value: { link, value in
        if let latest = link.memory.latest { link.downstream.receive((latest, value)) }
      },
      ending: { Sample.end($0, $1.promoted()) })
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
  /// The latest value, together with the sampler's, each time that the sampler sends one.
  ///
  /// The same value is sent again if no other has come. Completes when both have; is interrupted with either.
  @inlinable public func sample<T>(with sampler: Signal<T, Never>) -> Signal<(Value, T), Failure> {
    apply(Sample(), with: sampler)
  }

  /// The latest value each time that the sampler sends; see `sample(with:)`.
  @inlinable public func sample(on sampler: Signal<(), Never>) -> Signal<Value, Failure> {
    sample(with: sampler).map { $0.0 }
  }
}

extension SignalProducer {
  /// The latest value, together with the sampler's, each time that the sampler sends one.
  ///
  /// The same value is sent again if no other has come. Completes when both have; is interrupted with either.
  @inlinable public func sample<T>(with sampler: SignalProducer<T, Never>) -> SignalProducer<(Value, T), Failure> {
    apply(Sample(), with: sampler)
  }

  /// The latest value each time that the sampler sends; see `sample(with:)`.
  @inlinable public func sample(on sampler: SignalProducer<(), Never>) -> SignalProducer<Value, Failure> {
    sample(with: sampler).map { $0.0 }
  }
}
