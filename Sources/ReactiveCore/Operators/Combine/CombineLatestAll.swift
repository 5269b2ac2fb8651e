/// The latest of each of several sources of one type.
@usableFromInline struct CombineLatestAll<Input, Failure: Error>: CollectionJoin {
  @usableFromInline typealias Output = [Input]

  @inlinable init() {}

  private struct Memory {
    var latest: [Input?]
    var countWithout: Int
    var countGoingOn: Int
  }

  @usableFromInline func observers<Downstream: Receiver<[Input], Failure>>(
    for downstream: Downstream, count: Int
  ) -> [Observer<Input, Failure>] {
    let memory = Memory(latest: Array(repeating: nil, count: count), countWithout: count, countGoingOn: count)
    let link = Link(memory, downstream)
    return (0..<count).map { index in
      Observer(
        link: link,
        value: { link, value in
          if link.memory.latest[index] == nil { link.memory.countWithout -= 1 }
          link.memory.latest[index] = value
          if link.memory.countWithout == 0 { link.downstream.receive(link.memory.latest.compactMap { $0 }) }
        },
        ending: { link, ending in
          link.memory.countGoingOn -= 1
          if case .completed = ending, link.memory.countGoingOn > 0 { return }
          link.downstream.end(ending)
        })
    }
  }
}

extension Signal {
  /// The latest values of all signals, in their order, once each has one; completes when all have.
  @inlinable public static func combineLatest<Signals: Sequence>(_ signals: Signals) -> Signal<[Value], Failure>
  where Signals.Element == Signal<Value, Failure> {
    apply(CombineLatestAll(), to: Array(signals))
  }
}

extension SignalProducer {
  /// The latest values of all producers, in their order, once each has one; completes when all have.
  @inlinable public static func combineLatest<Producers: Sequence>(
    _ producers: Producers
  ) -> SignalProducer<[Value], Failure>
  where
    Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Failure
  {
    apply(CombineLatestAll(), to: producers.map(\.producer))
  }

  /// The latest values of all producers, or `emptySentinel` if there are none; see `combineLatest`.
  @inlinable public static func combineLatest<Producers: Sequence>(
    _ producers: Producers, emptySentinel: [Value]
  ) -> SignalProducer<[Value], Failure>
  where
    Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Failure
  {
    let all = producers.map(\.producer)
    return all.isEmpty ? SignalProducer<[Value], Failure>(value: emptySentinel) : combineLatest(all)
  }
}
