/// The values of a producer as a sequence that is worked off on the calling thread; a failure is its last element.
///
/// Each iterator has a run of its own, begun by its first `next` on a thread of its own and interrupted when the
/// iterator is let go. `next` waits for a value. The run is ahead of its reader by no more values than the bound
/// allows. A value that it sends while it is being started waits for room. One that is sent from elsewhere does not,
/// and the bound says what becomes of it if there is no room. A run's events come one at a time: a thread that sends
/// straight to the observer of a run whose beginning is waiting for room, from outside any delivery, waits with it. So
/// the body of a loop must not.
public struct ValueSequence<Value, Failure: Error>: Sequence {
  let producer: SignalProducer<Value, Failure>
  let bound: Bound<Failure>

  /// An iterator with a run of its own.
  public func makeIterator() -> Iterator { Iterator(reading: Reading(producer, bound)) }

  /// Reads the values of one run.
  public struct Iterator: IteratorProtocol {
    let reading: Reading<Value, Failure>

    /// The next value, or the failure, once there is one; nil after the last.
    ///
    /// - Precondition: It is not called from inside a delivery.
    public mutating func next() -> Result<Value, Failure>? {
      refuseInsideDelivery("next()")
      reading.beginOnce()
      while true {
        switch reading.mailbox.take() {
        case .value(let value): return .success(value)
        case .ending(.failed(let error)): return .failure(error)
        case .ending: return nil
        case .none:
          let latch = Latch()
          reading.mailbox.whenReady(latch.open)
          latch.wait()
        }
      }
    }
  }
}

extension SignalProducer {
  /// The values of a run as a lazy sequence whose reader waits for them; it is 16 values ahead at most, and drops the
  /// oldest for one more that cannot wait.
  public var sequence: ValueSequence<Value, Failure> { sequence(Bound(limit: 16, overflow: .dropOldest)) }

  /// The values of a run as a lazy sequence whose reader waits for them.
  public func sequence(_ bound: Bound<Failure>) -> ValueSequence<Value, Failure> {
    ValueSequence(producer: self, bound: bound)
  }
}

extension ValueSequence: Sendable where Value: Sendable {}
