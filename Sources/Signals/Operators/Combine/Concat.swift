extension Ending {
  /// Returns the sequel of a stream that a producer follows after completion.
  @inlinable func followed<Value>(by next: SignalProducer<Value, Failure>) -> Sequel<Value, Failure, Failure> {
    if case .completed = self { .replace(next) } else { .end(self) }
  }
}

extension Signal {
  /// The events of this signal and, once it has completed, those of a producer that is started then.
  @inlinable public func concat(_ next: SignalProducer<Value, Failure>) -> Signal<Value, Failure> {
    continued { $0.followed(by: next) }
  }

  /// The events of this signal and then one more value.
  @inlinable public func concat(value: Value) -> Signal<Value, Failure> { concat(SignalProducer(value: value)) }

  /// The values of this signal and then a failure.
  @inlinable public func concat(error: Failure) -> Signal<Value, Failure> { concat(SignalProducer(error: error)) }
}

extension SignalProducer {
  /// The events of this producer and, once it has completed, those of the next.
  @inlinable public func concat(_ next: SignalProducer<Value, Failure>) -> SignalProducer<Value, Failure> {
    continued { $0.followed(by: next) }
  }

  /// The events of this producer and, once it has completed, those of a source that converts to a producer.
  @inlinable public func concat<Next: SignalProducerConvertible>(_ next: Next) -> SignalProducer<Value, Failure>
  where Next.Value == Value, Next.Error == Failure {
    concat(next.producer)
  }

  /// The events of this producer and then one more value.
  @inlinable public func concat(value: Value) -> SignalProducer<Value, Failure> { concat(SignalProducer(value: value)) }

  /// The values of this producer and then a failure.
  @inlinable public func concat(error: Failure) -> SignalProducer<Value, Failure> {
    concat(SignalProducer(error: error))
  }

  /// The events of producers one after the other, each started when the one before has completed.
  @inlinable public static func concat<Producers: Sequence>(
    _ producers: Producers
  ) -> SignalProducer<Value, Failure>
  where
    Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Failure
  {
    .joined { relay, run in
      var iterator = producers.makeIterator()
      let succession = Succession<Failure, Relay<Value, Failure>>(relay, in: run) { ending in
        guard case .completed = ending else { return .end(ending) }
        return iterator.next().map { .follow($0.producer) } ?? .end(.completed)
      }
      succession.advance(to: iterator.next().map { .follow($0.producer) } ?? .end(.completed))
    }
  }

  /// The events of producers one after the other, each started when the one before has completed.
  @inlinable public static func concat(
    _ producers: SignalProducer<Value, Failure>...
  ) -> SignalProducer<Value, Failure> {
    concat(producers)
  }
}
