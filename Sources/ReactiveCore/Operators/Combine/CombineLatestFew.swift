// Two joins of two, which are specialised for their types: what packs of types are made of is not yet, and takes half a
// microsecond an event.

extension Signal {
  /// The latest values of three signals; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B, C>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>
  ) -> Signal<(Value, B, C), Failure> {
    a.combineLatest(with: b).combineLatest(with: c).map { ($0.0, $0.1, $1) }
  }

  /// The latest values of four signals; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B, C, D>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>
  ) -> Signal<(Value, B, C, D), Failure> {
    a.combineLatest(with: b).combineLatest(with: c.combineLatest(with: d)).map { ($0.0, $0.1, $1.0, $1.1) }
  }
}

extension SignalProducer {
  /// The latest values of three producers; see `combineLatest(with:)`.
  @inlinable
  public static func combineLatest<
    A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible
  >(
    _ a: A, _ b: B, _ c: C
  ) -> SignalProducer<(Value, B.Value, C.Value), Failure>
  where A.Value == Value, A.Error == Failure, B.Error == Failure, C.Error == Failure {
    a.producer.combineLatest(with: b.producer).combineLatest(with: c.producer).map { ($0.0, $0.1, $1) }
  }

  /// The latest values of four producers; see `combineLatest(with:)`.
  @inlinable
  public static func combineLatest<
    A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
    D: SignalProducerConvertible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> SignalProducer<(Value, B.Value, C.Value, D.Value), Failure>
  where A.Value == Value, A.Error == Failure, B.Error == Failure, C.Error == Failure, D.Error == Failure {
    a.producer.combineLatest(with: b.producer).combineLatest(with: c.producer.combineLatest(with: d.producer)).map {
      ($0.0, $0.1, $1.0, $1.1)
    }
  }
}
