public import Signals

/// The values of a producer as a sequence for the calling thread; a failure is its last element.
///
/// Each iterator has a run of its own, begun by its first `next` on a thread of its own and interrupted with the
/// iterator. `next` waits for a value. The run is ahead of its reader by no more values than the bound allows. A value
/// sent during the start waits for capacity; for one sent from elsewhere the bound's overflow policy applies. A run's
/// events are serial: while the start of a run waits for capacity, a thread that sends to its observer directly, from
/// outside any delivery, waits as well. The body of a loop must therefore not do so.
public struct ValueSequence<Value, Failure: Error>: Sequence {
  let producer: SignalProducer<Value, Failure>
  let bound: Bound<Failure>

  /// An iterator with a run of its own.
  public func makeIterator() -> Iterator { Iterator(reading: Reading(producer, bound)) }

  /// The iterator over the values of one run.
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
  /// The values of a run as a lazy sequence that blocks its reader; at most 16 values ahead, dropping the oldest for
  /// one more that cannot wait.
  public var sequence: ValueSequence<Value, Failure> { sequence(Bound(limit: 16, overflow: .dropOldest)) }

  /// The values of a run as a lazy sequence that blocks its reader.
  public func sequence(_ bound: Bound<Failure>) -> ValueSequence<Value, Failure> {
    ValueSequence(producer: self, bound: bound)
  }
}

extension ValueSequence: Sendable where Value: Sendable {}
