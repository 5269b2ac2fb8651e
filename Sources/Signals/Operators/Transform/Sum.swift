/// The sum and the number of the values so far.
@usableFromInline struct Total<Value: AdditiveArithmetic> {
  @usableFromInline var sum = Value.zero
  @usableFromInline var count = 0

  @inlinable init() {}

  @inlinable mutating func add(_ value: Value) {
    sum += value
    count += 1
  }
}

extension Signal where Value: AdditiveArithmetic {
  /// The sum of the values, zero if there were no values, when this signal completes.
  @inlinable public func sum() -> Signal<Value, Failure> { reduce(into: .zero) { $0 += $1 } }
}

extension Signal where Value: FloatingPoint {
  /// The mean of the values, when this signal completes; nothing if there were no values.
  @inlinable public func average() -> Signal<Value, Failure> {
    apply(Fold(Total(), { $0.add($1) }, finish: { $0.count == 0 ? nil : $0.sum / Value($0.count) }))
  }
}

extension Signal where Value: BinaryInteger {
  /// The mean of the values, when this signal completes; nothing if there were no values.
  @inlinable public func average() -> Signal<Double, Failure> { map { Double($0) }.average() }
}

extension SignalProducer where Value: AdditiveArithmetic {
  /// The sum of the values, zero if there were no values, when this producer completes.
  @inlinable public func sum() -> SignalProducer<Value, Failure> { reduce(into: .zero) { $0 += $1 } }
}

extension SignalProducer where Value: FloatingPoint {
  /// The mean of the values, when this producer completes; nothing if there were no values.
  @inlinable public func average() -> SignalProducer<Value, Failure> {
    apply(Fold(Total(), { $0.add($1) }, finish: { $0.count == 0 ? nil : $0.sum / Value($0.count) }))
  }
}

extension SignalProducer where Value: BinaryInteger {
  /// The mean of the values, when this producer completes; nothing if there were no values.
  @inlinable public func average() -> SignalProducer<Double, Failure> { map { Double($0) }.average() }
}
