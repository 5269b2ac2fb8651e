// The name of `compactMap` before the standard library chose one.

public import Signals

extension Signal {
  /// The values transformed, without those that become nil.
  @available(*, deprecated, renamed: "compactMap")
  public func filterMap<U>(_ transform: @escaping (Value) -> U?) -> Signal<U, Failure> { compactMap(transform) }
}

extension SignalProducer {
  /// The values transformed, without those that become nil.
  @available(*, deprecated, renamed: "compactMap")
  public func filterMap<U>(_ transform: @escaping (Value) -> U?) -> SignalProducer<U, Failure> { compactMap(transform) }
}
