extension Signal {
  /// Each value with the scheduler's time at its arrival.
  ///
  /// Rx's `timestamp`.
  ///
  /// - Parameter scheduler: The scheduler whose clock is read.
  @inlinable public func timestamp(
    on scheduler: any DateScheduler
  ) -> Signal<(at: Instant, value: Value), Failure> {
    map { (scheduler.currentDate, $0) }
  }
}

extension SignalProducer {
  /// Each value with the scheduler's time at its arrival.
  ///
  /// Rx's `timestamp`.
  ///
  /// - Parameter scheduler: The scheduler whose clock is read.
  @inlinable public func timestamp(
    on scheduler: any DateScheduler
  ) -> SignalProducer<(at: Instant, value: Value), Failure> {
    map { (scheduler.currentDate, $0) }
  }
}
