/// Emits the latest value of one source together with each value of another.
@usableFromInline struct Sample<Left, Right, Failure: Error>: Join {
  @usableFromInline typealias LeftFailure = Failure
  @usableFromInline typealias RightFailure = Never
  @usableFromInline typealias Output = (Left, Right)

  @usableFromInline let isRepeating: Bool

  @inlinable init(isRepeating: Bool) { self.isRepeating = isRepeating }

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
      value: { [isRepeating] link, value in
        guard let latest = link.memory.latest else { return }
        if !isRepeating { link.memory.latest = nil }
        link.downstream.receive((latest, value))
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
  /// The latest value, together with the sampler's, each time that the sampler emits one.
  ///
  /// A value is emitted again if there was no other. Completes when both have; it it is interrupted with either.
  @inlinable public func sample<T>(with sampler: Signal<T, Never>) -> Signal<(Value, T), Failure> {
    sample(with: sampler, repeating: true)
  }

  /// The latest value, together with the sampler's, at each value of the sampler; if not `repeating`, each value once
  /// at most.
  ///
  /// - Parameters:
  ///   - sampler: The stream that triggers a value.
  ///   - repeating: Pass `false` to emit each value at most once.
  @inlinable public func sample<T>(
    with sampler: Signal<T, Never>, repeating: Bool
  ) -> Signal<(Value, T), Failure> {
    apply(Sample(isRepeating: repeating), with: sampler)
  }

  /// The latest value each time that the sampler emits; see `sample(with:)`.
  @inlinable public func sample(on sampler: Signal<(), Never>) -> Signal<Value, Failure> {
    sample(on: sampler, repeating: true)
  }

  /// The latest value each time that the sampler emits; if not `repeating`, each value once at most.
  ///
  /// - Parameters:
  ///   - sampler: The stream that triggers a value.
  ///   - repeating: Pass `false` to emit each value at most once.
  @inlinable public func sample(on sampler: Signal<(), Never>, repeating: Bool) -> Signal<Value, Failure> {
    sample(with: sampler, repeating: repeating).map { $0.0 }
  }
}

extension SignalProducer {
  /// The latest value, together with the sampler's, each time that the sampler emits one.
  ///
  /// A value is emitted again if there was no other. Completes when both have; it it is interrupted with either.
  @inlinable public func sample<T>(with sampler: SignalProducer<T, Never>) -> SignalProducer<(Value, T), Failure> {
    sample(with: sampler, repeating: true)
  }

  /// The latest value, together with the sampler's, at each value of the sampler; if not `repeating`, each value once
  /// at most.
  ///
  /// - Parameters:
  ///   - sampler: The stream that triggers a value.
  ///   - repeating: Pass `false` to emit each value at most once.
  @inlinable public func sample<T>(
    with sampler: SignalProducer<T, Never>, repeating: Bool
  ) -> SignalProducer<(Value, T), Failure> {
    apply(Sample(isRepeating: repeating), with: sampler)
  }

  /// The latest value each time that the sampler emits; see `sample(with:)`.
  @inlinable public func sample(on sampler: SignalProducer<(), Never>) -> SignalProducer<Value, Failure> {
    sample(on: sampler, repeating: true)
  }

  /// The latest value each time that the sampler emits; if not `repeating`, each value once at most.
  ///
  /// - Parameters:
  ///   - sampler: The stream that triggers a value.
  ///   - repeating: Pass `false` to emit each value at most once.
  @inlinable public func sample(on sampler: SignalProducer<(), Never>, repeating: Bool) -> SignalProducer<
    Value, Failure
  > {
    sample(with: sampler, repeating: repeating).map { $0.0 }
  }

  /// The latest value, together with the sampler's, each time that the sampler emits one; see `sample(with:)`.
  @inlinable public func sample<Sampler: SignalProducerConvertible>(
    with sampler: Sampler
  ) -> SignalProducer<(Value, Sampler.Value), Failure> where Sampler.Error == Never {
    sample(with: sampler.producer)
  }

  /// The latest value each time that the sampler emits; see `sample(with:)`.
  @inlinable public func sample<Sampler: SignalProducerConvertible>(
    on sampler: Sampler
  ) -> SignalProducer<Value, Failure> where Sampler.Value == (), Sampler.Error == Never {
    sample(on: sampler.producer)
  }
}
