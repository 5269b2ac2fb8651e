@usableFromInline struct Map<Input, Output, Failure: Error>: Operator {
  @usableFromInline let transform: (Input) -> Output

  @inlinable init(_ transform: @escaping (Input) -> Output) { self.transform = transform }

  @inlinable @inline(__always) func observer<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(to: downstream) { [transform] value, link in
      withObject(of: link, as: Downstream.self) { $0.receive(transform(value)) }
    }
  }
}

extension Signal {
  /// Each value transformed, by a function or a key path.
  @inlinable @inline(__always) public func map<U>(_ transform: @escaping (Value) -> U) -> Signal<U, Failure> {
    apply(Map(transform))
  }

  /// A constant in place of each value.
  ///
  /// Disfavoured, or a trailing closure could be taken for the value.
  @_disfavoredOverload @inlinable public func map<U>(value: U) -> Signal<U, Failure> { map { _ in value } }
}

extension SignalProducer {
  /// Each value transformed, by a function or a key path.
  @inlinable @inline(__always) public func map<U>(_ transform: @escaping (Value) -> U) -> SignalProducer<U, Failure> {
    apply(Map(transform))
  }

  /// A constant in place of each value.
  ///
  /// Disfavoured, or a trailing closure could be taken for the value.
  @_disfavoredOverload @inlinable public func map<U>(value: U) -> SignalProducer<U, Failure> { map { _ in value } }
}
