extension SignalProducer {
  /// The events of another producer and, once it has completed, those of this one.
  @inlinable public func prefix(_ producer: SignalProducer<Value, Failure>) -> SignalProducer<Value, Failure> {
    producer.concat(self)
  }

  /// The events of a source that converts to a producer and, once it has completed, those of this one.
  @inlinable public func prefix<Previous: SignalProducerConvertible>(
    _ previous: Previous
  ) -> SignalProducer<Value, Failure> where Previous.Value == Value, Previous.Error == Failure {
    previous.producer.concat(self)
  }

  /// A value, then the events of this producer.
  @inlinable public func prefix(value: Value) -> SignalProducer<Value, Failure> { prefix(SignalProducer(value: value)) }

  /// Several values, then the events of this producer.
  @inlinable public func prefix(values: [Value]) -> SignalProducer<Value, Failure> { prefix(SignalProducer(values)) }
}
