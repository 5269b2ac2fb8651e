// Two joins of two, which are specialised for their types: what packs of types are made of is not yet, and takes half a
// microsecond an event.

extension Signal {
  /// The values of three signals by their numbers; see `zip(with:)`.
  @inlinable public static func zip<B, C>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>
  ) -> Signal<(Value, B, C), Failure> {
    a.zip(with: b).zip(with: c).map { ($0.0, $0.1, $1) }
  }

  /// The values of four signals by their numbers; see `zip(with:)`.
  @inlinable public static func zip<B, C, D>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>
  ) -> Signal<(Value, B, C, D), Failure> {
    a.zip(with: b).zip(with: c.zip(with: d)).map { ($0.0, $0.1, $1.0, $1.1) }
  }
}

extension SignalProducer {
  /// The values of three producers by their numbers; see `zip(with:)`.
  @inlinable
  public static func zip<
    A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible
  >(
    _ a: A, _ b: B, _ c: C
  ) -> SignalProducer<(Value, B.Value, C.Value), Failure>
  where A.Value == Value, A.Error == Failure, B.Error == Failure, C.Error == Failure {
    a.producer.zip(with: b.producer).zip(with: c.producer).map { ($0.0, $0.1, $1) }
  }

  /// The values of four producers by their numbers; see `zip(with:)`.
  @inlinable
  public static func zip<
    A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
    D: SignalProducerConvertible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> SignalProducer<(Value, B.Value, C.Value, D.Value), Failure>
  where A.Value == Value, A.Error == Failure, B.Error == Failure, C.Error == Failure, D.Error == Failure {
    a.producer.zip(with: b.producer).zip(with: c.producer.zip(with: d.producer)).map { ($0.0, $0.1, $1.0, $1.1) }
  }
}
