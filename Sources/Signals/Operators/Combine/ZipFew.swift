// Trees of pairs that share one domain; see `SourcePair`.

extension Signal {
  /// The values of three signals, the first with the first and so on; see `zip(with:)`.
  @inlinable public static func zip<B, C>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>
  ) -> Signal<(Value, B, C), Failure> {
    .joined(a.zipped(with: b).zipped(with: c), flatten: unnested)
  }

  /// The values of four signals, the first with the first and so on; see `zip(with:)`.
  @inlinable public static func zip<B, C, D>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>
  ) -> Signal<(Value, B, C, D), Failure> {
    .joined(a.zipped(with: b).zipped(with: c.zipped(with: d)), flatten: unnested)
  }

  /// The values of five signals, the first with the first and so on; see `zip(with:)`.
  @inlinable public static func zip<B, C, D, E>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>,
    _ e: Signal<E, Failure>
  ) -> Signal<(Value, B, C, D, E), Failure> {
    .joined(a.zipped(with: b).zipped(with: c.zipped(with: d)).zipped(with: e), flatten: unnested)
  }

  /// The values of six signals, the first with the first and so on; see `zip(with:)`.
  @inlinable public static func zip<B, C, D, E, F>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>,
    _ e: Signal<E, Failure>, _ f: Signal<F, Failure>
  ) -> Signal<(Value, B, C, D, E, F), Failure> {
    .joined(a.zipped(with: b).zipped(with: c.zipped(with: d)).zipped(with: e.zipped(with: f)), flatten: unnested)
  }

  /// The values of seven signals, the first with the first and so on; see `zip(with:)`.
  @inlinable public static func zip<B, C, D, E, F, G>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>,
    _ e: Signal<E, Failure>, _ f: Signal<F, Failure>, _ g: Signal<G, Failure>
  ) -> Signal<(Value, B, C, D, E, F, G), Failure> {
    .joined(
      a.zipped(with: b).zipped(with: c.zipped(with: d)).zipped(with: e.zipped(with: f).zipped(with: g)),
      flatten: unnested)
  }

  /// The values of eight signals, the first with the first and so on; see `zip(with:)`.
  @inlinable public static func zip<B, C, D, E, F, G, H>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>,
    _ e: Signal<E, Failure>, _ f: Signal<F, Failure>, _ g: Signal<G, Failure>, _ h: Signal<H, Failure>
  ) -> Signal<(Value, B, C, D, E, F, G, H), Failure> {
    .joined(
      a.zipped(with: b).zipped(with: c.zipped(with: d)).zipped(with: e.zipped(with: f).zipped(with: g.zipped(with: h))),
      flatten: unnested)
  }
}

extension SignalProducer {
  /// The values of three producers, the first with the first and so on; see `zip(with:)`.
  @inlinable
  public static func zip<A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible>(
    _ a: A, _ b: B, _ c: C
  ) -> SignalProducer<(Value, B.Value, C.Value), Failure>
  where A.Value == Value, A.Error == Failure, B.Error == Failure, C.Error == Failure {
    .joined(a.producer.zipped(with: b.producer).zipped(with: c.producer), flatten: unnested)
  }

  /// The values of four producers, the first with the first and so on; see `zip(with:)`.
  @inlinable
  public static func zip<
    A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
    D: SignalProducerConvertible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> SignalProducer<(Value, B.Value, C.Value, D.Value), Failure>
  where A.Value == Value, A.Error == Failure, B.Error == Failure, C.Error == Failure, D.Error == Failure {
    .joined(a.producer.zipped(with: b.producer).zipped(with: c.producer.zipped(with: d.producer)), flatten: unnested)
  }

  /// The values of five producers, the first with the first and so on; see `zip(with:)`.
  @inlinable
  public static func zip<
    A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
    D: SignalProducerConvertible, E: SignalProducerConvertible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value), Failure>
  where
    A.Value == Value, A.Error == Failure, B.Error == Failure, C.Error == Failure, D.Error == Failure, E.Error == Failure
  {
    .joined(
      a.producer.zipped(with: b.producer).zipped(with: c.producer.zipped(with: d.producer)).zipped(with: e.producer),
      flatten: unnested)
  }

  /// The values of six producers, the first with the first and so on; see `zip(with:)`.
  @inlinable
  public static func zip<
    A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
    D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value, F.Value), Failure>
  where
    A.Value == Value, A.Error == Failure, B.Error == Failure, C.Error == Failure, D.Error == Failure,
    E.Error == Failure, F.Error == Failure
  {
    .joined(
      a.producer.zipped(with: b.producer).zipped(with: c.producer.zipped(with: d.producer)).zipped(
        with: e.producer.zipped(with: f.producer)), flatten: unnested)
  }

  /// The values of seven producers, the first with the first and so on; see `zip(with:)`.
  @inlinable
  public static func zip<
    A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
    D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible,
    G: SignalProducerConvertible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value), Failure>
  where
    A.Value == Value, A.Error == Failure, B.Error == Failure, C.Error == Failure, D.Error == Failure,
    E.Error == Failure, F.Error == Failure, G.Error == Failure
  {
    .joined(
      a.producer.zipped(with: b.producer).zipped(with: c.producer.zipped(with: d.producer)).zipped(
        with: e.producer.zipped(with: f.producer).zipped(with: g.producer)), flatten: unnested)
  }

  /// The values of eight producers, the first with the first and so on; see `zip(with:)`.
  @inlinable
  public static func zip<
    A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
    D: SignalProducerConvertible, E: SignalProducerConvertible, F: SignalProducerConvertible,
    G: SignalProducerConvertible, H: SignalProducerConvertible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value, F.Value, G.Value, H.Value), Failure>
  where
    A.Value == Value, A.Error == Failure, B.Error == Failure, C.Error == Failure, D.Error == Failure,
    E.Error == Failure, F.Error == Failure, G.Error == Failure, H.Error == Failure
  {
    .joined(
      a.producer.zipped(with: b.producer).zipped(with: c.producer.zipped(with: d.producer)).zipped(
        with: e.producer.zipped(with: f.producer).zipped(with: g.producer.zipped(with: h.producer))), flatten: unnested
    )
  }
}
