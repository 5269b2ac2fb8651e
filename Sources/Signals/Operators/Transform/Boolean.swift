extension Signal where Value == Bool {
  /// The opposite of each value.
  @inlinable public func negate() -> Signal<Bool, Failure> { map { !$0 } }

  /// The conjunction of the latest values of this signal and another, after each value once both have one.
  @inlinable public func and(_ other: Signal<Bool, Failure>) -> Signal<Bool, Failure> {
    combineLatest(with: other).map { $0 && $1 }
  }

  /// The disjunction of the latest values of this signal and another, after each value once both have one.
  @inlinable public func or(_ other: Signal<Bool, Failure>) -> Signal<Bool, Failure> {
    combineLatest(with: other).map { $0 || $1 }
  }

  /// The conjunction of the latest values of all signals, after each value once each has one.
  @inlinable public static func all<Signals: Collection>(_ booleans: Signals) -> Signal<Bool, Failure>
  where Signals.Element == Signal<Bool, Failure> {
    combineLatest(booleans).map { !$0.contains(false) }
  }

  /// The conjunction of the latest values of all signals, after each value once each has one.
  @inlinable public static func all(_ booleans: Signal<Bool, Failure>...) -> Signal<Bool, Failure> { all(booleans) }

  /// The disjunction of the latest values of the signals, after each value once each has one.
  @inlinable public static func any<Signals: Collection>(_ booleans: Signals) -> Signal<Bool, Failure>
  where Signals.Element == Signal<Bool, Failure> {
    combineLatest(booleans).map { $0.contains(true) }
  }

  /// The disjunction of the latest values of the signals, after each value once each has one.
  @inlinable public static func any(_ booleans: Signal<Bool, Failure>...) -> Signal<Bool, Failure> { any(booleans) }
}

extension SignalProducer where Value == Bool {
  /// The opposite of each value.
  @inlinable public func negate() -> SignalProducer<Bool, Failure> { map { !$0 } }

  /// The conjunction of the latest values of this producer and another, after each value once both have one.
  @inlinable public func and(_ other: SignalProducer<Bool, Failure>) -> SignalProducer<Bool, Failure> {
    combineLatest(with: other).map { $0 && $1 }
  }

  /// The conjunction of the latest values of this producer and another, after each value once both have one.
  @inlinable public func and<Other: SignalProducerConvertible>(_ other: Other) -> SignalProducer<Bool, Failure>
  where Other.Value == Bool, Other.Error == Failure {
    and(other.producer)
  }

  /// The disjunction of the latest values of this producer and another, after each value once both have one.
  @inlinable public func or(_ other: SignalProducer<Bool, Failure>) -> SignalProducer<Bool, Failure> {
    combineLatest(with: other).map { $0 || $1 }
  }

  /// The disjunction of the latest values of this producer and another, after each value once both have one.
  @inlinable public func or<Other: SignalProducerConvertible>(_ other: Other) -> SignalProducer<Bool, Failure>
  where Other.Value == Bool, Other.Error == Failure {
    or(other.producer)
  }

  /// The conjunction of the latest values of all producers, after each value once each has one; true for none.
  @inlinable public static func all<Producers: Collection>(_ booleans: Producers) -> SignalProducer<Bool, Failure>
  where
    Producers.Element: SignalProducerConvertible, Producers.Element.Value == Bool, Producers.Element.Error == Failure
  {
    combineLatest(booleans, emptySentinel: []).map { !$0.contains(false) }
  }

  /// The conjunction of the latest values of all producers, after each value once each has one.
  @inlinable public static func all(_ booleans: SignalProducer<Bool, Failure>...) -> SignalProducer<Bool, Failure> {
    all(booleans)
  }

  /// The disjunction of the latest values of the producers, after each value once each has one; false for none.
  @inlinable public static func any<Producers: Collection>(_ booleans: Producers) -> SignalProducer<Bool, Failure>
  where
    Producers.Element: SignalProducerConvertible, Producers.Element.Value == Bool, Producers.Element.Error == Failure
  {
    combineLatest(booleans, emptySentinel: []).map { $0.contains(true) }
  }

  /// The disjunction of the latest values of the producers, after each value once each has one.
  @inlinable public static func any(_ booleans: SignalProducer<Bool, Failure>...) -> SignalProducer<Bool, Failure> {
    any(booleans)
  }
}
