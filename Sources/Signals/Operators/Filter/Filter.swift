@usableFromInline struct Filter<Input, Failure: Error>: Operator {
  @usableFromInline let isIncluded: (Input) -> Bool

  @inlinable init(_ isIncluded: @escaping (Input) -> Bool) { self.isIncluded = isIncluded }

  @inlinable @inline(__always) func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(to: downstream) { [isIncluded] value, link in
      withObject(of: link, as: Downstream.self) { if isIncluded(value) { $0.receive(value) } }
    }
  }
}

extension Signal {
  /// The values that match the predicate.
  @inlinable @inline(__always)
  public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal<Value, Failure> {
    apply(Filter(isIncluded))
  }
}

extension SignalProducer {
  /// The values that match the predicate.
  @inlinable @inline(__always)
  public func filter(_ isIncluded: @escaping (Value) -> Bool) -> SignalProducer<Value, Failure> {
    apply(Filter(isIncluded))
  }
}
