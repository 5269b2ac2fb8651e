// One implementation for all: each stream of values comes with one function that makes an inner producer of a value and
// another that maps the stream's ending to the output's. The overloads below define the errors that can be combined.

extension Flattening {
  /// The observer of the outer stream.
  @inlinable func outer<Value, F>(
    _ transform: @escaping (Value) -> Producer, ending: @escaping (Ending<F>) -> Ending<Failure>
  ) -> Observer<Value, F> {
    Observer(link: self, value: { $0.arrive(transform($1)) }, ending: { $0.endOuter(ending($1)) })
  }
}

extension Signal {
  @inlinable func flattened<U, F>(
    _ strategy: FlattenStrategy, _ bound: Bound<F>?, ending: @escaping (Ending<Failure>) -> Ending<F>,
    _ transform: @escaping (Value) -> SignalProducer<U, F>
  ) -> Signal<U, F> {
    Signal<U, F>.joined { derived, scope in
      let flattening = Flattening(derived, in: scope, strategy, bound)
      attach(flattening.outer(transform, ending: ending), for: scope)
    }
  }
}

extension SignalProducer {
  @inlinable func flattened<U, F>(
    _ strategy: FlattenStrategy, _ bound: Bound<F>?, ending: @escaping (Ending<Failure>) -> Ending<F>,
    _ transform: @escaping (Value) -> SignalProducer<U, F>
  ) -> SignalProducer<U, F> {
    SignalProducer<U, F>.joined { relay, run in
      let flattening = Flattening(relay, in: run, strategy, bound)
      start(flattening.outer(transform, ending: ending), as: Run()) { run.hold($0) }
    }
  }
}

extension Signal where Value: SignalProducerConvertible, Failure == Value.Error {
  /// The values of the inner streams that `strategy` selects; see `FlattenStrategy` about endings.
  @inlinable public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Failure> {
    flattened(strategy, nil, ending: { $0 }) { $0.producer }
  }

  /// The values of the inner streams that `strategy` selects; at most as many wait as `limit` allows.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - limit: The number of inner streams that may wait to be started, and the treatment of one more.
  @inlinable public func flatten(_ strategy: FlattenStrategy, limit: Bound<Failure>) -> Signal<Value.Value, Failure> {
    flattened(strategy, limit, ending: { $0 }) { $0.producer }
  }
}

extension SignalProducer where Value: SignalProducerConvertible, Failure == Value.Error {
  /// The values of the inner streams that `strategy` selects; see `FlattenStrategy` about endings.
  @inlinable public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Failure> {
    flattened(strategy, nil, ending: { $0 }) { $0.producer }
  }

  /// The values of the inner streams that `strategy` selects; at most as many wait as `limit` allows.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - limit: The number of inner streams that may wait to be started, and the treatment of one more.
  @inlinable public func flatten(_ strategy: FlattenStrategy, limit: Bound<Failure>) -> SignalProducer<
    Value.Value, Failure
  > {
    flattened(strategy, limit, ending: { $0 }) { $0.producer }
  }
}

extension Signal where Value: SignalProducerConvertible, Failure == Never {
  /// The values of the inner streams that `strategy` selects; the outer stream cannot fail.
  @inlinable public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Value.Error> {
    flattened(strategy, nil, ending: { $0.promoted() }) { $0.producer }
  }

  /// The values of the inner streams that `strategy` selects; at most as many wait as `limit` allows.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - limit: The number of inner streams that may wait to be started, and the treatment of one more.
  @inlinable public func flatten(
    _ strategy: FlattenStrategy, limit: Bound<Value.Error>
  ) -> Signal<Value.Value, Value.Error> {
    flattened(strategy, limit, ending: { $0.promoted() }) { $0.producer }
  }
}

extension SignalProducer where Value: SignalProducerConvertible, Failure == Never {
  /// The values of the inner streams that `strategy` selects; the outer stream cannot fail.
  @inlinable public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Value.Error> {
    flattened(strategy, nil, ending: { $0.promoted() }) { $0.producer }
  }

  /// The values of the inner streams that `strategy` selects; at most as many wait as `limit` allows.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - limit: The number of inner streams that may wait to be started, and the treatment of one more.
  @inlinable public func flatten(
    _ strategy: FlattenStrategy, limit: Bound<Value.Error>
  ) -> SignalProducer<Value.Value, Value.Error> {
    flattened(strategy, limit, ending: { $0.promoted() }) { $0.producer }
  }
}

extension Signal where Value: SignalProducerConvertible, Value.Error == Never {
  /// The values of the inner streams that `strategy` selects; the inner streams cannot fail.
  @inlinable public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Failure> {
    flattened(strategy, nil, ending: { $0 }) { $0.producer.promoted() }
  }

  /// The values of the inner streams that `strategy` selects; at most as many wait as `limit` allows.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - limit: The number of inner streams that may wait to be started, and the treatment of one more.
  @inlinable public func flatten(_ strategy: FlattenStrategy, limit: Bound<Failure>) -> Signal<Value.Value, Failure> {
    flattened(strategy, limit, ending: { $0 }) { $0.producer.promoted() }
  }
}

extension SignalProducer where Value: SignalProducerConvertible, Value.Error == Never {
  /// The values of the inner streams that `strategy` selects; the inner streams cannot fail.
  @inlinable public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Failure> {
    flattened(strategy, nil, ending: { $0 }) { $0.producer.promoted() }
  }

  /// The values of the inner streams that `strategy` selects; at most as many wait as `limit` allows.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - limit: The number of inner streams that may wait to be started, and the treatment of one more.
  @inlinable public func flatten(_ strategy: FlattenStrategy, limit: Bound<Failure>) -> SignalProducer<
    Value.Value, Failure
  > {
    flattened(strategy, limit, ending: { $0 }) { $0.producer.promoted() }
  }
}

extension Signal where Value: SignalProducerConvertible, Failure == Never, Value.Error == Never {
  /// The values of the inner streams that `strategy` selects; none of them can fail.
  @inlinable public func flatten(_ strategy: FlattenStrategy) -> Signal<Value.Value, Never> {
    flattened(strategy, nil, ending: { $0 }) { $0.producer }
  }
}

extension SignalProducer where Value: SignalProducerConvertible, Failure == Never, Value.Error == Never {
  /// The values of the inner streams that `strategy` selects; none of them can fail.
  @inlinable public func flatten(_ strategy: FlattenStrategy) -> SignalProducer<Value.Value, Never> {
    flattened(strategy, nil, ending: { $0 }) { $0.producer }
  }
}

extension Signal where Value: Sequence {
  /// The elements of each sequence.
  @inlinable public func flatten() -> Signal<Value.Element, Failure> {
    flattened(.merge, nil, ending: { $0 }) { SignalProducer<Value.Element, Failure>($0) }
  }
}

extension SignalProducer where Value: Sequence {
  /// The elements of each sequence.
  @inlinable public func flatten() -> SignalProducer<Value.Element, Failure> {
    flattened(.merge, nil, ending: { $0 }) { SignalProducer<Value.Element, Failure>($0) }
  }
}
