/// Tuples of the values of any number of sources of one type, by position.
@usableFromInline struct ZipAll<Input, Failure: Error>: CollectionJoin {
  @usableFromInline typealias Output = [Input]
  private let bound: Bound<Failure>?

  @usableFromInline init(_ bound: Bound<Failure>?) { self.bound = bound }

  private struct Memory {
    var held: [Fifo<Input>]
    var hasCompleted: [Bool]
    /// The number of sources with a waiting value.
    var countReady = 0

    mutating func takeAll() -> [Input] {
      let values = held.indices.compactMap { held[$0].popFirst() }
      countReady = held.count { !$0.isEmpty }
      return values
    }

    /// True if no further values can be combined.
    var isOver: Bool { held.indices.contains { hasCompleted[$0] && held[$0].isEmpty } }
  }

  @usableFromInline func observers<Downstream: Receiver<[Input], Failure>>(
    for downstream: Downstream, count: Int
  ) -> [Observer<Input, Failure>] {
    let memory = Memory(
      held: Array(repeating: Fifo(), count: count), hasCompleted: Array(repeating: false, count: count))
    let link = Link(memory, downstream)
    return (0..<count).map { index in
      Observer(
        link: link, value: { receive($1, at: index, $0) },
        ending: { link, ending in
          link.memory.hasCompleted[index] = true
          if case .completed = ending, !link.memory.isOver { return }
          link.downstream.end(ending)
        })
    }
  }

  private func receive<Downstream: Receiver<[Input], Failure>>(
    _ value: Input, at index: Int, _ link: Link<Memory, Downstream>
  ) {
    if link.memory.held[index].isEmpty { link.memory.countReady += 1 }
    if let error = link.memory.held[index].append(value, within: bound) { return link.downstream.end(.failed(error)) }
    guard link.memory.countReady == link.memory.held.count else { return }
    link.downstream.receive(link.memory.takeAll())
    if link.memory.isOver { link.downstream.end(.completed) }
  }
}

extension Signal {
  /// The values of all signals, in their order, the first with the first and so on; see `zip(with:)`.
  ///
  /// - Parameters:
  ///   - signals: The signals; with none it completes at once.
  ///   - limit: The number of values of each that may be held, and the treatment of one more; unlimited by default.
  @inlinable public static func zip<Signals: Sequence>(
    _ signals: Signals, limit: Bound<Failure>? = nil
  ) -> Signal<[Value], Failure> where Signals.Element == Signal<Value, Failure> {
    apply(ZipAll(limit), to: Array(signals))
  }
}

extension SignalProducer {
  /// The values of all producers, in their order, the first with the first and so on; see `zip(with:)`.
  ///
  /// - Parameters:
  ///   - producers: The producers; with none it completes at once.
  ///   - limit: The number of values of each that may be held, and the treatment of one more; unlimited by default.
  @inlinable public static func zip<Producers: Sequence>(
    _ producers: Producers, limit: Bound<Failure>? = nil
  ) -> SignalProducer<[Value], Failure>
  where
    Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Failure
  {
    apply(ZipAll(limit), to: producers.map(\.producer))
  }

  /// The values of all producers, or `emptySentinel` if there are none; see `zip(with:)`.
  @inlinable public static func zip<Producers: Sequence>(
    _ producers: Producers, emptySentinel: [Value]
  ) -> SignalProducer<[Value], Failure>
  where
    Producers.Element: SignalProducerConvertible, Producers.Element.Value == Value, Producers.Element.Error == Failure
  {
    let all = producers.map(\.producer)
    return all.isEmpty ? SignalProducer<[Value], Failure>(value: emptySentinel) : zip(all)
  }
}
