extension Signal {
  /// The number of values, when this signal completes.
  @inlinable public func count() -> Signal<Int, Failure> { apply(Fold(0, { count, _ in count += 1 }, finish: { $0 })) }
}

extension SignalProducer {
  /// The number of values, when this producer completes.
  @inlinable public func count() -> SignalProducer<Int, Failure> {
    apply(Fold(0, { count, _ in count += 1 }, finish: { $0 }))
  }
}
