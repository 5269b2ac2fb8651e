/// Follows one producer after the other: what the first sends to.
///
/// The next producer is started outside the output's domain, so that what it sends at once is delivered at once.
@usableFromInline final class Succession<Value, Failure: Error> {
  @usableFromInline let observer: Observer<Value, Failure>
  @usableFromInline let run: Run
  @usableFromInline let next: SignalProducer<Value, Failure>

  @inlinable init(_ observer: Observer<Value, Failure>, _ run: Run, _ next: SignalProducer<Value, Failure>) {
    self.observer = observer.entering(run)
    self.run = run
    self.next = next
  }

  @inlinable var first: Observer<Value, Failure> {
    Observer(
      link: self, value: { $0.observer.receive($1) },
      ending: { succession, ending in
        if case .completed = ending {
          succession.next.start(succession.observer, as: Run()) { succession.run.hold($0) }
        } else {
          succession.observer.end(ending)
        }
      })
  }
}

extension SignalProducer {
  /// The events of this producer and, once it has completed, those of the next.
  @inlinable public func concat(_ next: SignalProducer<Value, Failure>) -> SignalProducer<Value, Failure> {
    SignalProducer(begin: { observer, run in
      guard run.begin(with: Relay(observer)) else { return }
      start(Succession(observer, run, next).first, as: Run()) { run.hold($0) }
    })
  }

  /// The events of this producer and then one more value.
  @inlinable public func concat(value: Value) -> SignalProducer<Value, Failure> { concat(SignalProducer(value: value)) }

  /// The values of this producer and then a failure.
  @inlinable public func concat(error: Failure) -> SignalProducer<Value, Failure> {
    concat(SignalProducer(error: error))
  }

  /// The events of another producer and, once it has completed, those of this one.
  @inlinable public func prefix(_ producer: SignalProducer<Value, Failure>) -> SignalProducer<Value, Failure> {
    producer.concat(self)
  }

  /// A value, then the events of this producer.
  @inlinable public func prefix(value: Value) -> SignalProducer<Value, Failure> { prefix(SignalProducer(value: value)) }

  /// Several values, then the events of this producer.
  @inlinable public func prefix(values: [Value]) -> SignalProducer<Value, Failure> { prefix(SignalProducer(values)) }

  /// Lets this producer complete, drops its values, and goes on with the next.
  @inlinable public func then<U>(_ next: SignalProducer<U, Failure>) -> SignalProducer<U, Failure> {
    compactMap { _ -> U? in nil }.concat(next)
  }
}
