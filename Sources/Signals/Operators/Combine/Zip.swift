/// Pairs of the values of two sources by position; values that one is ahead of the other are held.
@usableFromInline struct Zip<Left, Right, Failure: Error>: Join {
  @usableFromInline typealias LeftFailure = Failure
  @usableFromInline typealias RightFailure = Failure
  @usableFromInline typealias Output = (Left, Right)
  @usableFromInline let bound: Bound<Failure>?

  @inlinable init(_ bound: Bound<Failure>?) { self.bound = bound }

  @inlinable static var startsRightFirst: Bool { false }

  /// One of the two is always empty.
  @usableFromInline struct Memory {
    @usableFromInline var left = Fifo<Left>()
    @usableFromInline var right = Fifo<Right>()
    @usableFromInline var leftHasCompleted = false
    @usableFromInline var rightHasCompleted = false

    @inlinable init() {}

    /// True if no further pair is possible.
    @inlinable var isOver: Bool { leftHasCompleted && left.isEmpty || rightHasCompleted && right.isEmpty }
  }

  @inlinable func observers<Downstream: Receiver<(Left, Right), Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Left, Failure>, Observer<Right, Failure>) {
    let link = Link(Memory(), downstream)
    let left = Observer<Left, Failure>(
      link: link,
      value: { [bound] link, value in
        if let right = link.memory.right.popFirst() {
          Zip.send((value, right), link)
        } else if let error = link.memory.left.append(value, within: bound) {
          link.downstream.end(.failed(error))
        }
      },
      ending: { link, ending in
        link.memory.leftHasCompleted = true
        Zip.end(link, ending)
      })
    let right = Observer<Right, Failure>(
      link: link,
      value: { [bound] link, value in
        if let left = link.memory.left.popFirst() {
          Zip.send((left, value), link)
        } else if let error = link.memory.right.append(value, within: bound) {
          link.downstream.end(.failed(error))
        }
      },
      ending: { link, ending in
        link.memory.rightHasCompleted = true
        Zip.end(link, ending)
      })
    return (left, right)
  }

  @inlinable @inline(__always) static func send<Downstream: Receiver<(Left, Right), Failure>>(
    _ pair: (Left, Right), _ link: Link<Memory, Downstream>
  ) {
    link.downstream.receive(pair)
    if link.memory.isOver { link.downstream.end(.completed) }
  }

  @inlinable static func end<Downstream: Receiver<(Left, Right), Failure>>(
    _ link: Link<Memory, Downstream>, _ ending: Ending<Failure>
  ) {
    if case .completed = ending, !link.memory.isOver { return }
    link.downstream.end(ending)
  }
}

extension Signal {
  /// The values of this signal and another, the first with the first and so on.
  ///
  /// Values that one is ahead of the other are held. Completes when no further pair is possible. A failure or an
  /// interruption of either ends it at once.
  @inlinable public func zip<U>(with other: Signal<U, Failure>) -> Signal<(Value, U), Failure> {
    apply(Zip(nil), with: other)
  }

  /// The values of this signal and another, the first with the first and so on, within a bound; see `zip(with:)`.
  ///
  /// - Parameters:
  ///   - other: The stream to pair with.
  ///   - limit: The number of values that either may be ahead of the other, and the treatment of one more.
  @inlinable public func zip<U>(
    with other: Signal<U, Failure>, limit: Bound<Failure>
  ) -> Signal<(Value, U), Failure> {
    apply(Zip(limit), with: other)
  }

  /// The values of two signals, the first with the first and so on; see `zip(with:)`.
  @inlinable public static func zip<B>(
    _ a: Signal<Value, Failure>, _ b: Signal<B, Failure>
  ) -> Signal<(Value, B), Failure> {
    a.zip(with: b)
  }
}

extension SignalProducer {
  /// The values of this producer and another, the first with the first and so on.
  ///
  /// Values that one is ahead of the other are held. Completes when no further pair is possible. A failure or an
  /// interruption of either ends it at once.
  @inlinable public func zip<U>(with other: SignalProducer<U, Failure>) -> SignalProducer<(Value, U), Failure> {
    apply(Zip(nil), with: other)
  }

  /// The values of this producer and another, the first with the first and so on, within a bound; see `zip(with:)`.
  ///
  /// - Parameters:
  ///   - other: The stream to pair with.
  ///   - limit: The number of values that either may be ahead of the other, and the treatment of one more.
  @inlinable public func zip<U>(
    with other: SignalProducer<U, Failure>, limit: Bound<Failure>
  ) -> SignalProducer<(Value, U), Failure> {
    apply(Zip(limit), with: other)
  }

  /// The values of this producer and another; see `zip(with:)`.
  @inlinable public func zip<Other: SignalProducerConvertible>(
    with other: Other
  ) -> SignalProducer<(Value, Other.Value), Failure> where Other.Error == Failure {
    zip(with: other.producer)
  }

  /// The values of two producers, the first with the first and so on; see `zip(with:)`.
  @inlinable public static func zip<A: SignalProducerConvertible, B: SignalProducerConvertible>(
    _ a: A, _ b: B
  ) -> SignalProducer<(Value, B.Value), Failure> where A.Value == Value, A.Error == Failure, B.Error == Failure {
    a.producer.zip(with: b.producer)
  }
}
