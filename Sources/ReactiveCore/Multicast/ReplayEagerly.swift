public import Signals

extension SignalProducer {
  /// Starts a run at once, and returns a producer whose runs get its last `capacity` values and then the events that
  /// follow.
  ///
  /// The run is interrupted when no copy of the result and none of its runs is left. See `replayLazily(upTo:)`.
  ///
  /// - Precondition: `capacity` is not negative.
  public func replay(upTo capacity: Int = .max) -> SignalProducer<Value, Failure> {
    let buffer = ReplayBuffer<Value, Failure>(capacity)
    let shared = SharedRun(self, buffer)
    shared.startOnce()
    return buffer.producer(keeping: shared)
  }

  /// Starts a run at once, and returns a producer whose runs get its last value and then the events that follow.
  public func replayLast() -> SignalProducer<Value, Failure> { replay(upTo: 1) }
}
