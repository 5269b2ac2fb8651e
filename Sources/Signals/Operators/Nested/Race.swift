extension SignalProducer {
  /// The events of whichever source is the first to emit one of any kind; the others are interrupted then.
  ///
  /// They are started in their order until one emits; without sources it completes at once. Equals `flatten(.race)`;
  /// Rx's `amb`.
  @inlinable public static func race<Sources: Sequence>(_ sources: Sources) -> SignalProducer<Value, Failure>
  where Sources.Element: SignalProducerConvertible, Sources.Element.Value == Value, Sources.Element.Error == Failure {
    .joined { relay, run in
      let flattening = Flattening(relay, in: run, .race, nil)
      for source in sources { flattening.arrive(source.producer) }
      flattening.endOuter(.completed)
    }
  }

  /// The events of whichever producer is the first to emit one; the others are interrupted then.
  @inlinable public static func race(_ producers: SignalProducer<Value, Failure>...) -> SignalProducer<Value, Failure> {
    race(producers)
  }

  /// The events of this producer or of another, whichever is the first to emit one; the other is interrupted then.
  @inlinable public func race(with other: SignalProducer<Value, Failure>) -> SignalProducer<Value, Failure> {
    .race([self, other])
  }

  /// The events of this producer or of another source, whichever is the first to emit one.
  @inlinable public func race<Other: SignalProducerConvertible>(
    with other: Other
  ) -> SignalProducer<Value, Failure> where Other.Value == Value, Other.Error == Failure {
    race(with: other.producer)
  }
}

extension Signal {
  /// The events of whichever signal is the first to emit one from now on; the others are then no longer observed.
  ///
  /// Without signals it is completed. Rx's `amb`.
  @inlinable public static func race<Signals: Sequence>(
    _ signals: Signals
  ) -> Signal<Value, Failure> where Signals.Element == Signal<Value, Failure> {
    joined { derived, scope in
      let flattening = Flattening(derived, in: scope, .race, nil)
      for signal in signals { flattening.arrive(SignalProducer(signal)) }
      flattening.endOuter(.completed)
    }
  }

  /// The events of whichever signal is the first to emit one from now on; the others are then no longer observed.
  @inlinable public static func race(_ signals: Signal<Value, Failure>...) -> Signal<Value, Failure> { race(signals) }

  /// The events of this signal or of another, whichever is the first to emit one from now on; the other is then no
  /// longer observed.
  @inlinable public func race(with other: Signal<Value, Failure>) -> Signal<Value, Failure> { .race([self, other]) }
}
