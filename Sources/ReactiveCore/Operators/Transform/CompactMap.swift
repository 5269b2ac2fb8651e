@usableFromInline struct CompactMap<Input, Output, Failure: Error>: Operator {
  @usableFromInline let transform: (Input) -> Output?

  @inlinable init(_ transform: @escaping (Input) -> Output?) { self.transform = transform }

  @inlinable @inline(__always) func observer<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(
      link: downstream, value: { [transform] in if let value = transform($1) { $0.receive(value) } },
      ending: { $0.end($1) })
  }
}

extension Signal {
  /// What the transformation gives, without its nils.
  @inlinable @inline(__always)
  public func compactMap<U>(_ transform: @escaping (Value) -> U?) -> Signal<U, Failure> {
    apply(CompactMap(transform))
  }

  /// The values that are not nil.
  @inlinable public func skipNil<U>() -> Signal<U, Failure> where Value == U? { compactMap { $0 } }
}

extension SignalProducer {
  /// What the transformation gives, without its nils.
  @inlinable @inline(__always)
  public func compactMap<U>(_ transform: @escaping (Value) -> U?) -> SignalProducer<U, Failure> {
    apply(CompactMap(transform))
  }

  /// The values that are not nil.
  @inlinable public func skipNil<U>() -> SignalProducer<U, Failure> where Value == U? { compactMap { $0 } }
}
