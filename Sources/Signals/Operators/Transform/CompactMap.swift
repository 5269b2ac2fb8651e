@usableFromInline struct CompactMap<Input, Output, Failure: Error>: Operator {
  @usableFromInline let transform: (Input) -> Output?

  @inlinable init(_ transform: @escaping (Input) -> Output?) { self.transform = transform }

  @inlinable @inline(__always) func observer<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(to: downstream) { [transform] input, link in
      withObject(of: link, as: Downstream.self) { if let value = transform(input) { $0.receive(value) } }
    }
  }
}

extension Signal {
  /// The results of the transformation, without its nils.
  @inlinable @inline(__always)
  public func compactMap<U>(_ transform: @escaping (Value) -> U?) -> Signal<U, Failure> {
    apply(CompactMap(transform))
  }

  /// The values that are not nil.
  @inlinable public func skipNil<U>() -> Signal<U, Failure> where Value == U? { compactMap { $0 } }
}

extension SignalProducer {
  /// The results of the transformation, without its nils.
  @inlinable @inline(__always)
  public func compactMap<U>(_ transform: @escaping (Value) -> U?) -> SignalProducer<U, Failure> {
    apply(CompactMap(transform))
  }

  /// The values that are not nil.
  @inlinable public func skipNil<U>() -> SignalProducer<U, Failure> where Value == U? { compactMap { $0 } }
}
