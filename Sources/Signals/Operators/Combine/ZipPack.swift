/// The values that one of several sources is ahead of the others.
@usableFromInline final class ZipLane<Value> {
  @exclusivity(unchecked) @usableFromInline var held = Fifo<Value>()
  @exclusivity(unchecked) @usableFromInline var hasCompleted = false

  @inlinable init() {}

  /// True if nothing can arrive from here any more.
  @inlinable var isOver: Bool { hasCompleted && held.isEmpty }

  @inlinable func take() -> Value { held.popFirst().unsafelyUnwrapped }
}

/// Tuples of the values of several sources of different types, by position.
@usableFromInline final class ZipPack<Downstream: Receiver, each Input> where Downstream.Value == (repeat each Input) {
  @usableFromInline let downstream: Downstream
  @usableFromInline let lanes: (repeat ZipLane<each Input>)

  @inlinable init(_ downstream: Downstream) {
    self.downstream = downstream
    lanes = (repeat ZipLane<each Input>())
  }

  @inlinable func observer<Value>(_ lane: ZipLane<Value>) -> Observer<Value, Downstream.Failure> {
    Observer(
      link: self,
      value: { pack, value in
        lane.held.append(value)
        pack.sendIfReady()
      },
      ending: { pack, ending in
        lane.hasCompleted = true
        if case .completed = ending, !pack.isOver { return }
        pack.downstream.end(ending)
      })
  }

  @inlinable func sendIfReady() {
    for lane in repeat each lanes { if lane.held.isEmpty { return } }
    downstream.receive((repeat (each lanes).take()))
    if isOver { downstream.end(.completed) }
  }

  /// True if no further values can be combined.
  @inlinable var isOver: Bool {
    for lane in repeat each lanes { if lane.isOver { return true } }
    return false
  }
}

extension Signal {
  @inlinable static func zipping<each Input>(_ signals: repeat Signal<each Input, Failure>) -> Signal
  where Value == (repeat each Input) {
    joined { derived, scope in
      let pack = ZipPack<Node<Value, Failure>, repeat each Input>(derived)
      repeat (each signals).feed(pack.observer(each pack.lanes), in: scope)
    }
  }

  /// The values of nine or more signals, the first with the first and so on; see `zip(with:)`.
  @inlinable public static func zip<B, C, each More>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>,
    _ more: repeat Signal<each More, Failure>
  ) -> Signal<(Value, B, C, repeat each More), Failure> {
    Signal<(Value, B, C, repeat each More), Failure>.zipping(a, b, c, repeat each more)
  }
}

extension SignalProducer {
  @inlinable static func zipping<each Input>(_ producers: repeat SignalProducer<each Input, Failure>) -> SignalProducer
  where Value == (repeat each Input) {
    joined { relay, run in
      let pack = ZipPack<Relay<Value, Failure>, repeat each Input>(relay)
      repeat (each producers).feed(pack.observer(each pack.lanes), in: run)
    }
  }

  /// The values of nine or more producers, the first with the first and so on; see `zip(with:)`.
  @inlinable public static func zip<B, C, each More>(
    _ a: any SignalProducerConvertible<Value, Failure>, _ b: any SignalProducerConvertible<B, Failure>,
    _ c: any SignalProducerConvertible<C, Failure>, _ more: repeat any SignalProducerConvertible<each More, Failure>
  ) -> SignalProducer<(Value, B, C, repeat each More), Failure> {
    SignalProducer<(Value, B, C, repeat each More), Failure>
      .zipping(a.producer, b.producer, c.producer, repeat (each more).producer)
  }
}
