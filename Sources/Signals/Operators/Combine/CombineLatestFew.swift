// Trees of pairs that share one domain; see `SourcePair`.

extension Signal {
  /// The latest values of three signals; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B, C>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>
  ) -> Signal<(Value, B, C), Failure> {
    .joined(a.latest(with: b).latest(with: c), flatten: unnested)
  }

  /// The latest values of four signals; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B, C, D>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>
  ) -> Signal<(Value, B, C, D), Failure> {
    .joined(a.latest(with: b).latest(with: c.latest(with: d)), flatten: unnested)
  }

  /// The latest values of five signals; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B, C, D, E>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>,
    _ e: Signal<E, Failure>
  ) -> Signal<(Value, B, C, D, E), Failure> {
    .joined(a.latest(with: b).latest(with: c.latest(with: d)).latest(with: e), flatten: unnested)
  }

  /// The latest values of six signals; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B, C, D, E, F>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>,
    _ e: Signal<E, Failure>, _ f: Signal<F, Failure>
  ) -> Signal<(Value, B, C, D, E, F), Failure> {
    .joined(a.latest(with: b).latest(with: c.latest(with: d)).latest(with: e.latest(with: f)), flatten: unnested)
  }

  /// The latest values of seven signals; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B, C, D, E, F, G>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>,
    _ e: Signal<E, Failure>, _ f: Signal<F, Failure>, _ g: Signal<G, Failure>
  ) -> Signal<(Value, B, C, D, E, F, G), Failure> {
    .joined(
      a.latest(with: b).latest(with: c.latest(with: d)).latest(with: e.latest(with: f).latest(with: g)),
      flatten: unnested)
  }

  /// The latest values of eight signals; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B, C, D, E, F, G, H>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>, _ d: Signal<D, Failure>,
    _ e: Signal<E, Failure>, _ f: Signal<F, Failure>, _ g: Signal<G, Failure>, _ h: Signal<H, Failure>
  ) -> Signal<(Value, B, C, D, E, F, G, H), Failure> {
    .joined(
      a.latest(with: b).latest(with: c.latest(with: d)).latest(with: e.latest(with: f).latest(with: g.latest(with: h))),
      flatten: unnested)
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
    .joined(a.producer.latest(with: b.producer).latest(with: c.producer), flatten: unnested)
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
    .joined(a.producer.latest(with: b.producer).latest(with: c.producer.latest(with: d.producer)), flatten: unnested)
  }

  /// The latest values of five producers; see `combineLatest(with:)`.
  @inlinable
  public static func combineLatest<
    A: SignalProducerConvertible, B: SignalProducerConvertible, C: SignalProducerConvertible,
    D: SignalProducerConvertible, E: SignalProducerConvertible
  >(
    _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
  ) -> SignalProducer<(Value, B.Value, C.Value, D.Value, E.Value), Failure>
  where
    A.Value == Value, A.Error == Failure, B.Error == Failure, C.Error == Failure, D.Error == Failure, E.Error == Failure
  {
    .joined(
      a.producer.latest(with: b.producer).latest(with: c.producer.latest(with: d.producer)).latest(with: e.producer),
      flatten: unnested)
  }

  /// The latest values of six producers; see `combineLatest(with:)`.
  @inlinable
  public static func combineLatest<
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
      a.producer.latest(with: b.producer).latest(with: c.producer.latest(with: d.producer)).latest(
        with: e.producer.latest(with: f.producer)), flatten: unnested)
  }

  /// The latest values of seven producers; see `combineLatest(with:)`.
  @inlinable
  public static func combineLatest<
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
      a.producer.latest(with: b.producer).latest(with: c.producer.latest(with: d.producer)).latest(
        with: e.producer.latest(with: f.producer).latest(with: g.producer)), flatten: unnested)
  }

  /// The latest values of eight producers; see `combineLatest(with:)`.
  @inlinable
  public static func combineLatest<
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
      a.producer.latest(with: b.producer).latest(with: c.producer.latest(with: d.producer)).latest(
        with: e.producer.latest(with: f.producer).latest(with: g.producer.latest(with: h.producer))), flatten: unnested
    )
  }
}
