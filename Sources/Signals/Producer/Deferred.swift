extension SignalProducer {
  /// Returns a producer that calls `make` at each start and runs the result; RAC's `defer:`.
  @inlinable public static func deferred(_ make: @escaping () -> SignalProducer) -> SignalProducer {
    SignalProducer(begin: { observer, run in make().begin(observer, run) })
  }
}
