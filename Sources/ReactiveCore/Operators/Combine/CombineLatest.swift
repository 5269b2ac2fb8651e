@usableFromInline struct CombineLatest<Left, Right, Failure: Error>: Join {
  @usableFromInline typealias LeftFailure = Failure
  @usableFromInline typealias RightFailure = Failure
  @usableFromInline typealias Output = (Left, Right)

  @inlinable init() {}

  @inlinable static var startsRightFirst: Bool { false }

  @usableFromInline struct Memory {
    @usableFromInline var left: Left?
    @usableFromInline var right: Right?
    @usableFromInline var oneHasCompleted = false

    @inlinable init() {}
  }

  @inlinable func observers<Downstream: Receiver<(Left, Right), Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Left, Failure>, Observer<Right, Failure>) {
    let link = Link(Memory(), downstream)
    let left = Observer<Left, Failure>(
      link: link,
      value: { link, value in
        link.memory.left = value
        if let right = link.memory.right { link.downstream.receive((value, right)) }
      },
      ending: { CombineLatest.end($0, $1) })
    let right = Observer<Right, Failure>(
      link: link,
      value: { link, value in
        link.memory.right = value
        if let left = link.memory.left { link.downstream.receive((left, value)) }
      },
      ending: { CombineLatest.end($0, $1) })
    return (left, right)
  }

  @inlinable static func end<Downstream: Receiver<(Left, Right), Failure>>(
    _ link: Link<Memory, Downstream>, _ ending: Ending<Failure>
  ) {
    if case .completed = ending, !link.memory.oneHasCompleted {
      link.memory.oneHasCompleted = true
    } else {
      link.downstream.end(ending)
    }
  }
}

/// The latest of each of several sources of one type.
@usableFromInline struct CombineLatestOfAll<Input, Failure: Error>: CollectionJoin {
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
  /// The latest values of this signal and another, after each value of either once both have one.
  ///
  /// Completes when both have.
  @inlinable public func combineLatest<U>(with other: Signal<U, Failure>) -> Signal<(Value, U), Failure> {
    apply(CombineLatest(), with: other)
  }

  /// The latest values of two signals; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>
  ) -> Signal<(Value, B), Failure> {
    a.combineLatest(with: b)
  }

  /// The latest values of all signals, in their order, once each has one; completes when all have.
  @inlinable public static func combineLatest<Signals: Sequence>(_ signals: Signals) -> Signal<[Value], Failure>
  where Signals.Element == Signal<Value, Failure> {
    apply(CombineLatestOfAll(), to: Array(signals))
  }
}

extension SignalProducer {
  /// The latest values of this producer and another, after each value of either once both have one.
  ///
  /// Completes when both have.
  @inlinable public func combineLatest<U>(
    with other: SignalProducer<U, Failure>
  ) -> SignalProducer<(Value, U), Failure> {
    apply(CombineLatest(), with: other)
  }

  /// The latest values of two producers; see `combineLatest(with:)`.
  @inlinable public static func combineLatest<B>(
    _ a: SignalProducer<Value, Failure>, _ b: SignalProducer<B, Failure>
  ) -> SignalProducer<(Value, B), Failure> {
    a.combineLatest(with: b)
  }

  /// The latest values of all producers, in their order, once each has one; completes when all have.
  @inlinable public static func combineLatest<Producers: Sequence>(
    _ producers: Producers
  ) -> SignalProducer<[Value], Failure> where Producers.Element == SignalProducer<Value, Failure> {
    apply(CombineLatestOfAll(), to: Array(producers))
  }
}
