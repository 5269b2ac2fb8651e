public import Signals

/// The values of a producer or a signal for `for try await`; a failure is thrown, and an interruption ends the loop.
///
/// Each iterator has a run, or an observation, of its own, which ends with the iterator or its task.
///
/// Senders may be ahead of their reader, within a bound. The first `next` starts a producer on a thread of its own, and
/// a value sent during the start waits for capacity. A value sent from elsewhere does not wait: the bound says whether
/// the oldest or the newest value is dropped, or the loop fails. A run's events are serial: while the start of a run
/// waits for capacity, a thread that sends to its observer directly, from outside any delivery, waits as well. A value
/// sent from inside a delivery, as by a signal, never waits.
public struct AsyncValues<Value, Failure: Error>: AsyncSequence {
  /// The type of the values.
  public typealias Element = Value

  let producer: SignalProducer<Value, Failure>
  let bound: Bound<Failure>
  let beginsHere: Bool

  /// An iterator with a run of its own; a signal is observed from now on.
  public func makeAsyncIterator() -> Iterator {
    let reading = Reading(producer, bound)
    if beginsHere { reading.beginHere() }
    return Iterator(reading: reading)
  }

  /// The iterator over the values of one run.
  public struct Iterator: AsyncIteratorProtocol {
    let reading: Reading<Value, Failure>

    /// The next value, once there is one; nil after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Value? {
      reading.beginOnce()
      while true {
        if Task.isCancelled { reading.cancel() }
        switch reading.mailbox.take() {
        case .value(let value): return value
        case .ending(.failed(let error)): throw error
        case .ending: return nil
        case .none: await reading.arrival(isolation: actor)
        }
      }
    }

    /// The next value, once there is one; nil after the last.
    public mutating func next() async throws(Failure) -> Value? { try await next(isolation: nil) }
  }
}

extension Reading {
  /// Returns once there is an item to take.
  func arrival(isolation actor: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: actor) { continuation in mailbox.whenReady { continuation.resume() } }
    } onCancel: {
      cancel()
    }
  }
}

extension SignalProducer {
  /// The values of a run for `for try await`; holds 1,024, and drops the oldest for one more.
  ///
  /// See `AsyncValues` about senders that wait instead.
  public var values: AsyncValues<Value, Failure> { values(Bound(limit: 1024, overflow: .dropOldest)) }

  /// The values of a run for `for try await`, within a bound.
  public func values(_ bound: Bound<Failure>) -> AsyncValues<Value, Failure> {
    AsyncValues(producer: self, bound: bound, beginsHere: false)
  }
}

extension Signal {
  /// The values from when the loop begins, for `for try await`; holds 1,024, and drops the oldest for one more.
  public var values: AsyncValues<Value, Failure> { values(Bound(limit: 1024, overflow: .dropOldest)) }

  /// The values from when the loop begins, for `for try await`, within a bound.
  public func values(_ bound: Bound<Failure>) -> AsyncValues<Value, Failure> {
    AsyncValues(producer: SignalProducer(self), bound: bound, beginsHere: true)
  }
}

extension AsyncValues: Sendable where Value: Sendable {}
