extension SignalProducer {
  /// A producer that asks for another at each start and runs that; RAC's `defer:`.
  @inlinable public static func deferred(_ make: @escaping () -> SignalProducer) -> SignalProducer {
    SignalProducer(begin: { observer, run in make().begin(observer, run) })
  }
}
