extension SignalProducer {
  /// Returns a producer that drops this one's values, forwards a failure and, after completion, emits the events of one
  /// that can fail with `F`.
  @inlinable func followed<U, F>(
    by next: SignalProducer<U, F>, _ convert: @escaping (Ending<Failure>) -> Ending<F>
  ) -> SignalProducer<U, F> {
    compactMap { _ -> U? in nil }.continued { ending in
      if case .completed = ending { .replace(next) } else { .end(convert(ending)) }
    }
  }

  /// Drops this producer's values and, once it has completed, continues with another.
  @inlinable public func then<U>(_ replacement: SignalProducer<U, Failure>) -> SignalProducer<U, Failure> {
    followed(by: replacement) { $0 }
  }

  /// Drops this producer's values and, once it has completed, continues with another of the same values.
  @inlinable public func then(_ replacement: SignalProducer<Value, Failure>) -> SignalProducer<Value, Failure> {
    followed(by: replacement) { $0 }
  }

  /// Drops this producer's values and, once it has completed, continues with one that cannot fail.
  @inlinable public func then<U>(_ replacement: SignalProducer<U, Never>) -> SignalProducer<U, Failure> {
    followed(by: replacement.promoted()) { $0 }
  }

  /// Drops this producer's values and, once it has completed, continues with a source that converts to a producer.
  @inlinable public func then<Replacement: SignalProducerConvertible>(
    _ replacement: Replacement
  ) -> SignalProducer<Replacement.Value, Failure> where Replacement.Error == Failure {
    followed(by: replacement.producer) { $0 }
  }

  /// Drops this producer's values and, once it has completed, continues with more of the same values.
  @inlinable public func then<Replacement: SignalProducerConvertible>(
    _ replacement: Replacement
  ) -> SignalProducer<Value, Failure> where Replacement.Value == Value, Replacement.Error == Failure {
    followed(by: replacement.producer) { $0 }
  }

  /// Drops this producer's values and, once it has completed, continues with something that cannot fail.
  @inlinable public func then<Replacement: SignalProducerConvertible>(
    _ replacement: Replacement
  ) -> SignalProducer<Replacement.Value, Failure> where Replacement.Error == Never {
    followed(by: replacement.producer.promoted()) { $0 }
  }
}

extension SignalProducer where Failure == Never {
  /// Drops the values of this producer, which cannot fail, and, once it has completed, continues with another.
  @inlinable public func then<U, F>(_ replacement: SignalProducer<U, F>) -> SignalProducer<U, F> {
    followed(by: replacement) { $0.promoted() }
  }

  /// Drops the values of this producer, which cannot fail, and, once it has completed, continues with a source that
  /// converts to a producer.
  @inlinable public func then<Replacement: SignalProducerConvertible>(
    _ replacement: Replacement
  ) -> SignalProducer<Replacement.Value, Replacement.Error> {
    followed(by: replacement.producer) { $0.promoted() }
  }

  /// Drops this producer's values and, once it has completed, continues with another; neither can fail.
  @inlinable public func then<U>(_ replacement: SignalProducer<U, Never>) -> SignalProducer<U, Never> {
    followed(by: replacement) { $0 }
  }

  /// Drops this producer's values and, once it has completed, continues with something else; neither can fail.
  @inlinable public func then<Replacement: SignalProducerConvertible>(
    _ replacement: Replacement
  ) -> SignalProducer<Replacement.Value, Never> where Replacement.Error == Never {
    followed(by: replacement.producer) { $0 }
  }

  /// Drops this producer's values and, once it has completed, continues with another of the same values; neither can
  /// fail.
  @inlinable public func then(_ replacement: SignalProducer<Value, Never>) -> SignalProducer<Value, Never> {
    followed(by: replacement) { $0 }
  }

  /// Drops this producer's values and, once it has completed, continues with more of the same values; neither can fail.
  @inlinable public func then<Replacement: SignalProducerConvertible>(
    _ replacement: Replacement
  ) -> SignalProducer<Value, Never> where Replacement.Value == Value, Replacement.Error == Never {
    followed(by: replacement.producer) { $0 }
  }
}
