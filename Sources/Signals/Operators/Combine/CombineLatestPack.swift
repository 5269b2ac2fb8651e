/// The latest value of one of several sources.
@usableFromInline final class Latest<Value> {
  @exclusivity(unchecked) @usableFromInline var value: Value?

  @inlinable init() {}

  @inlinable var known: Value { value.unsafelyUnwrapped }
}

/// The latest values of several sources of different types.
@usableFromInline final class CombineLatestPack<Downstream: Receiver, each Input>
where Downstream.Value == (repeat each Input) {
  @usableFromInline let downstream: Downstream
  @usableFromInline let latest: (repeat Latest<each Input>)
  @exclusivity(unchecked) @usableFromInline var countWithout = 0
  @exclusivity(unchecked) @usableFromInline var countGoingOn = 0

  @inlinable init(_ downstream: Downstream) {
    self.downstream = downstream
    latest = (repeat Latest<each Input>())
    for _ in repeat each latest { countWithout += 1 }
    countGoingOn = countWithout
  }

  @inlinable func observer<Value>(_ latest: Latest<Value>) -> Observer<Value, Downstream.Failure> {
    Observer(
      link: self,
      value: { pack, value in
        if latest.value == nil { pack.countWithout -= 1 }
        latest.value = value
        if pack.countWithout == 0 { pack.send() }
      },
      ending: { pack, ending in
        pack.countGoingOn -= 1
        if case .completed = ending, pack.countGoingOn > 0 { return }
        pack.downstream.end(ending)
      })
  }

  @inlinable func send() { downstream.receive((repeat (each latest).known)) }
}

extension Signal {
  @inlinable static func combining<each Input>(_ signals: repeat Signal<each Input, Failure>) -> Signal
  where Value == (repeat each Input) {
    joined { derived, scope in
      let pack = CombineLatestPack<Node<Value, Failure>, repeat each Input>(derived)
      repeat (each signals).feed(pack.observer(each pack.latest), in: scope)
    }
  }

  /// The latest values of nine or more signals; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B, C, each More>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>,
    _ more: repeat Signal<each More, Failure>
  ) -> Signal<(Value, B, C, repeat each More), Failure> {
    Signal<(Value, B, C, repeat each More), Failure>.combining(a, b, c, repeat each more)
  }
}

extension SignalProducer {
  @inlinable static func combining<each Input>(_ producers: repeat SignalProducer<each Input, Failure>)
    -> SignalProducer
  where Value == (repeat each Input) {
    joined { relay, run in
      let pack = CombineLatestPack<Relay<Value, Failure>, repeat each Input>(relay)
      repeat (each producers).feed(pack.observer(each pack.latest), in: run)
    }
  }

  /// The latest values of nine or more producers; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B, C, each More>(
    _ a: any SignalProducerConvertible<Value, Failure>, _ b: any SignalProducerConvertible<B, Failure>,
    _ c: any SignalProducerConvertible<C, Failure>, _ more: repeat any SignalProducerConvertible<each More, Failure>
  ) -> SignalProducer<(Value, B, C, repeat each More), Failure> {
    SignalProducer<(Value, B, C, repeat each More), Failure>
      .combining(a.producer, b.producer, c.producer, repeat (each more).producer)
  }
}
