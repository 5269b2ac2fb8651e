/// The last value of each of several sources, when all have completed.
@usableFromInline struct CombineLast<Input, Failure: Error>: CollectionJoin {
  @usableFromInline typealias Output = [Input]

  @usableFromInline init() {}

  private struct Memory {
    var last: [Input?]
    var countGoingOn: Int
  }

  @usableFromInline func observers<Downstream: Receiver<[Input], Failure>>(
    for downstream: Downstream, count: Int
  ) -> [Observer<Input, Failure>] {
    let link = Link(Memory(last: Array(repeating: nil, count: count), countGoingOn: count), downstream)
    return (0..<count).map { index in
      Observer(
        link: link, value: { $0.memory.last[index] = $1 },
        ending: { link, ending in
          guard case .completed = ending else { return link.downstream.end(ending) }
          link.memory.countGoingOn -= 1
          // A source without a value: no result is possible any more.
          if link.memory.last[index] == nil { return link.downstream.end(.completed) }
          guard link.memory.countGoingOn == 0 else { return }
          link.downstream.receive(link.memory.last.compactMap { $0 })
          link.downstream.end(.completed)
        })
    }
  }
}

extension Signal {
  /// The last value of each signal, in their order, when all have completed; nothing if one completes without a value.
  ///
  /// A failure or an interruption of any ends it at once. Rx's `forkJoin`.
  @inlinable public static func combineLast<Signals: Sequence>(_ signals: Signals) -> Signal<[Value], Failure>
  where Signals.Element == Signal<Value, Failure> {
    apply(CombineLast(), to: Array(signals))
  }

  /// The last values of three or more signals, when all have completed; nothing if one completes without a value.
  @inlinable public static func combineLast<B, C, each More>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>, _ c: Signal<C, Failure>,
    _ more: repeat Signal<each More, Failure>
  ) -> Signal<(Value, B, C, repeat each More), Failure> {
    Signal<(Value, B, C, repeat each More), Failure>.zipping(
      a.take(last: 1), b.take(last: 1), c.take(last: 1), repeat (each more).take(last: 1))
  }

  /// The last values of this signal and another when both have completed; nothing if one completes without a value.
  ///
  /// A failure or an interruption of either ends it at once. Rx's `forkJoin`.
  @inlinable public func combineLast<U>(with other: Signal<U, Failure>) -> Signal<(Value, U), Failure> {
    take(last: 1).zip(with: other.take(last: 1))
  }
}

extension SignalProducer {
  /// The last value of each producer, in their order, when all have completed; nothing if one completes without a
  /// value.
  ///
  /// A failure or an interruption of any ends it at once. Rx's `forkJoin`.
  @inlinable public static func combineLast<Producers: Sequence>(
    _ producers: Producers
  ) -> SignalProducer<[Value], Failure>
  where
    Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Failure
  {
    apply(CombineLast(), to: producers.map(\.producer))
  }

  /// The last values of three or more sources, when all have completed; nothing if one completes without a value.
  @inlinable public static func combineLast<B, C, each More>(
    _ a: any SignalProducerConvertible<Value, Failure>, _ b: any SignalProducerConvertible<B, Failure>,
    _ c: any SignalProducerConvertible<C, Failure>, _ more: repeat any SignalProducerConvertible<each More, Failure>
  ) -> SignalProducer<(Value, B, C, repeat each More), Failure> {
    SignalProducer<(Value, B, C, repeat each More), Failure>.zipping(
      a.producer.take(last: 1), b.producer.take(last: 1), c.producer.take(last: 1),
      repeat (each more).producer.take(last: 1))
  }

  /// The last values of this producer and another when both have completed; nothing if one completes without a value.
  ///
  /// A failure or an interruption of either ends it at once. Rx's `forkJoin`.
  @inlinable public func combineLast<U>(
    with other: SignalProducer<U, Failure>
  ) -> SignalProducer<(Value, U), Failure> {
    take(last: 1).zip(with: other.take(last: 1))
  }
}
