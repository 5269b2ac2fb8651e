/// The latest of each of several sources of one type.
@usableFromInline struct CombineLatestAll<Input, Failure: Error>: CollectionJoin {
  @usableFromInline typealias Output = [Input]

  @inlinable init() {}

  private struct Memory {
    /// The values until each source has one.
    var first: [Input?]
    var countWithout: Int
    /// The values from then on, changed in place: an update costs nothing for the unchanged ones.
    var latest: [Input] = []
    var countGoingOn: Int

    init(_ count: Int) {
      first = Array(repeating: nil, count: count)
      countWithout = count
      countGoingOn = count
    }

    /// Stores a value; true if each source has one.
    mutating func take(_ value: Input, at index: Int) -> Bool {
      guard countWithout > 0 else {
        latest[index] = value
        return true
      }
      if first[index] == nil { countWithout -= 1 }
      first[index] = value
      guard countWithout == 0 else { return false }
      latest = first.compactMap { $0 }
      first = []
      return true
    }
  }

  @usableFromInline func observers<Downstream: Receiver<[Input], Failure>>(
    for downstream: Downstream, count: Int
  ) -> [Observer<Input, Failure>] {
    let link = Link(Memory(count), downstream)
    return (0..<count).map { index in
      Observer(
        link: link,
        value: { link, value in
          if link.memory.take(value, at: index) { link.downstream.receive(link.memory.latest) }
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
  ///
  /// A failure or an interruption of any ends it at once.
  @inlinable public static func combineLatest<Signals: Sequence>(_ signals: Signals) -> Signal<[Value], Failure>
  where Signals.Element == Signal<Value, Failure> {
    apply(CombineLatestAll(), to: Array(signals))
  }
}

extension SignalProducer {
  /// The latest values of all producers, in their order, once each has one; completes when all have.
  ///
  /// A failure or an interruption of any ends it at once.
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
