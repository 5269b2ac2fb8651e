// A literal or a closure does not determine all types. The rest is inferred as in ReactiveSwift: a producer of given
// values cannot fail, and one of a closure that may throw fails with `any Error`.

extension SignalProducer where Failure == Never {
  /// A producer of one value.
  @inlinable public init(value: Value) { self.init(known: { .value(value) }) }

  /// A producer of the values of a sequence.
  @inlinable public init<Values: Sequence>(_ values: Values) where Values.Element == Value {
    self.init(begin: { observer, run in SignalProducer.send(values, to: observer, in: run) })
  }

  /// A producer of two or more values.
  @inlinable public init(values first: Value, _ second: Value, _ others: Value...) {
    self.init([first, second] + others)
  }
}

extension SignalProducer where Failure == any Swift.Error {
  /// A producer that computes one value at each start, or fails with the thrown error.
  @inlinable public init(_ action: @escaping () throws -> Value) {
    self.init { () -> Result<Value, any Swift.Error> in Result { try action() } }
  }
}
