@usableFromInline struct Merge<Input, Failure: Error>: CollectionJoin {
  @usableFromInline typealias Output = Input

  @inlinable init() {}

  @inlinable func observers<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, count: Int
  ) -> [Observer<Input, Failure>] {
    let observer = Observer<Input, Failure>(
      link: Link(count, downstream),
      value: { $0.downstream.receive($1) },
      ending: { link, ending in
        link.memory -= 1
        if case .completed = ending, link.memory > 0 { return }
        link.downstream.end(ending)
      })
    return Array(repeating: observer, count: count)
  }
}

extension Signal {
  /// The values of all signals as they are emitted; completes when all have.
  ///
  /// A failure or an interruption of any ends it at once.
  @inlinable public static func merge<Signals: Sequence>(_ signals: Signals) -> Signal<Value, Failure>
  where Signals.Element == Signal<Value, Failure> {
    apply(Merge(), to: Array(signals))
  }

  /// The values of all signals as they are emitted; completes when all have.
  @inlinable public static func merge(_ signals: Signal<Value, Failure>...) -> Signal<Value, Failure> {
    merge(signals)
  }

  /// The values of this signal and another as they are emitted; completes when both have.
  @inlinable public func merge(with other: Signal<Value, Failure>) -> Signal<Value, Failure> {
    Signal.merge([self, other])
  }
}

extension SignalProducer {
  /// The values of all producers as they are emitted; completes when all have.
  ///
  /// A failure or an interruption of any ends it at once.
  @inlinable public static func merge<Producers: Sequence>(
    _ producers: Producers
  ) -> SignalProducer<Value, Failure>
  where
    Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Failure
  {
    apply(Merge(), to: producers.map(\.producer))
  }

  /// The values of all producers as they are emitted; completes when all have.
  @inlinable public static func merge(
    _ producers: SignalProducer<Value, Failure>...
  ) -> SignalProducer<Value, Failure> {
    merge(producers)
  }

  /// The values of all signals, producers and properties as they are emitted; completes when all have.
  @inlinable public static func merge(
    _ sources: any SignalProducerConvertible<Value, Failure>...
  ) -> SignalProducer<Value, Failure> {
    apply(Merge(), to: sources.map { $0.producer })
  }

  /// The values of this producer and another as they are emitted; completes when both have.
  @inlinable public func merge(with other: SignalProducer<Value, Failure>) -> SignalProducer<Value, Failure> {
    SignalProducer.merge([self, other])
  }

  /// The values of this producer and another as they are emitted; completes when both have.
  @inlinable public func merge<Other: SignalProducerConvertible>(
    with other: Other
  ) -> SignalProducer<Value, Failure> where Other.Value == Value, Other.Error == Failure {
    merge(with: other.producer)
  }
}
