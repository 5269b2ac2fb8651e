extension Signal {
  /// The parts of each tuple combined by a function with as many parameters.
  public func reduceEach<each Part, U>(
    _ reduce: @escaping (repeat each Part) -> U
  ) -> Signal<U, Failure> where Value == (repeat each Part) {
    map { reduce(repeat each $0) }
  }
}

extension SignalProducer {
  /// The parts of each tuple combined by a function with as many parameters.
  public func reduceEach<each Part, U>(
    _ reduce: @escaping (repeat each Part) -> U
  ) -> SignalProducer<U, Failure> where Value == (repeat each Part) {
    map { reduce(repeat each $0) }
  }
}
