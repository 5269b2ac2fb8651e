/// Records the arrival of a value.
@usableFromInline final class Arrival {
  @exclusivity(unchecked) @usableFromInline var hasCome = false

  @inlinable init() {}
}

extension Ending {
  @inlinable func ifEmpty<Value>(
    _ arrival: Arrival, _ other: SignalProducer<Value, Failure>
  ) -> Sequel<Value, Failure, Failure> {
    if case .completed = self, !arrival.hasCome { .replace(other) } else { .end(self) }
  }
}

extension Signal {
  /// All values or, if this signal completes without any, the events of a producer.
  ///
  /// Rx's `switchIfEmpty`.
  @inlinable public func switchIfEmpty(_ other: SignalProducer<Value, Failure>) -> Signal<Value, Failure> {
    let arrival = Arrival()
    return map { value in
      arrival.hasCome = true
      return value
    }.continued { $0.ifEmpty(arrival, other) }
  }
}

extension SignalProducer {
  /// All values or, if this producer completes without any, the events of another.
  ///
  /// Rx's `switchIfEmpty`.
  @inlinable public func switchIfEmpty(_ other: SignalProducer<Value, Failure>) -> SignalProducer<Value, Failure> {
    .deferred {
      let arrival = Arrival()
      return map { value in
        arrival.hasCome = true
        return value
      }.continued { $0.ifEmpty(arrival, other) }
    }
  }
}
