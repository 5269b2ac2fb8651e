// The overloads are ReactiveSwift's: inner producers by their type, so that `.init(value: 1)` and `.empty` can be
// written, and types that convert to a producer; with equal failures, or with `Never` on one side or both.

extension Signal {
  /// The values of the producers made of the values, as selected by `strategy`; see `FlattenStrategy`.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<U>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> SignalProducer<U, Failure>
  ) -> Signal<U, Failure> {
    flattened(strategy, nil, ending: { $0 }, transform)
  }

  /// The values of the streams made of the values, as selected by `strategy`.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> Inner
  ) -> Signal<Inner.Value, Failure> where Inner.Error == Failure {
    flattened(strategy, nil, ending: { $0 }) { transform($0).producer }
  }

  /// The values of the producers made of the values, which cannot fail.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<U>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> SignalProducer<U, Never>
  ) -> Signal<U, Failure> {
    flattened(strategy, nil, ending: { $0 }) { transform($0).promoted() }
  }

  /// The values of the streams made of the values, which cannot fail.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> Inner
  ) -> Signal<Inner.Value, Failure> where Inner.Error == Never {
    flattened(strategy, nil, ending: { $0 }) { transform($0).producer.promoted() }
  }

  /// The values of the producers made of the values; at most as many wait as `limit` allows.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - limit: The number of inner streams that may wait to be started, and the treatment of one more.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<U>(
    _ strategy: FlattenStrategy, limit: Bound<Failure>, _ transform: @escaping (Value) -> SignalProducer<U, Failure>
  ) -> Signal<U, Failure> {
    flattened(strategy, limit, ending: { $0 }, transform)
  }
}

extension SignalProducer {
  /// The values of the producers made of the values, as selected by `strategy`; see `FlattenStrategy`.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<U>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> SignalProducer<U, Failure>
  ) -> SignalProducer<U, Failure> {
    flattened(strategy, nil, ending: { $0 }, transform)
  }

  /// The values of the streams made of the values, as selected by `strategy`.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> Inner
  ) -> SignalProducer<Inner.Value, Failure> where Inner.Error == Failure {
    flattened(strategy, nil, ending: { $0 }) { transform($0).producer }
  }

  /// The values of the producers made of the values, which cannot fail.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<U>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> SignalProducer<U, Never>
  ) -> SignalProducer<U, Failure> {
    flattened(strategy, nil, ending: { $0 }) { transform($0).promoted() }
  }

  /// The values of the streams made of the values, which cannot fail.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> Inner
  ) -> SignalProducer<Inner.Value, Failure> where Inner.Error == Never {
    flattened(strategy, nil, ending: { $0 }) { transform($0).producer.promoted() }
  }

  /// The values of the producers made of the values; at most as many wait as `limit` allows.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - limit: The number of inner streams that may wait to be started, and the treatment of one more.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<U>(
    _ strategy: FlattenStrategy, limit: Bound<Failure>, _ transform: @escaping (Value) -> SignalProducer<U, Failure>
  ) -> SignalProducer<U, Failure> {
    flattened(strategy, limit, ending: { $0 }, transform)
  }
}

extension Signal where Failure == Never {
  /// The values of the producers made of the values, which can fail while this stream cannot.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<U, F>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> SignalProducer<U, F>
  ) -> Signal<U, F> {
    flattened(strategy, nil, ending: { $0.promoted() }, transform)
  }

  /// The values of the streams made of the values, which can fail while this stream cannot.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> Inner
  ) -> Signal<Inner.Value, Inner.Error> {
    flattened(strategy, nil, ending: { $0.promoted() }) { transform($0).producer }
  }

  /// The values of the producers made of the values; neither they nor this stream can fail.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<U>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> SignalProducer<U, Never>
  ) -> Signal<U, Never> {
    flattened(strategy, nil, ending: { $0 }, transform)
  }

  /// The values of the streams made of the values; neither they nor this stream can fail.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> Inner
  ) -> Signal<Inner.Value, Never> where Inner.Error == Never {
    flattened(strategy, nil, ending: { $0 }) { transform($0).producer }
  }
}

extension SignalProducer where Failure == Never {
  /// The values of the producers made of the values, which can fail while this stream cannot.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<U, F>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> SignalProducer<U, F>
  ) -> SignalProducer<U, F> {
    flattened(strategy, nil, ending: { $0.promoted() }, transform)
  }

  /// The values of the streams made of the values, which can fail while this stream cannot.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> Inner
  ) -> SignalProducer<Inner.Value, Inner.Error> {
    flattened(strategy, nil, ending: { $0.promoted() }) { transform($0).producer }
  }

  /// The values of the producers made of the values; neither they nor this stream can fail.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<U>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> SignalProducer<U, Never>
  ) -> SignalProducer<U, Never> {
    flattened(strategy, nil, ending: { $0 }, transform)
  }

  /// The values of the streams made of the values; neither they nor this stream can fail.
  ///
  /// - Parameters:
  ///   - strategy: The treatment of several inner streams.
  ///   - transform: Makes the inner stream for a value.
  @inlinable public func flatMap<Inner: SignalProducerConvertible>(
    _ strategy: FlattenStrategy, _ transform: @escaping (Value) -> Inner
  ) -> SignalProducer<Inner.Value, Never> where Inner.Error == Never {
    flattened(strategy, nil, ending: { $0 }) { transform($0).producer }
  }
}
