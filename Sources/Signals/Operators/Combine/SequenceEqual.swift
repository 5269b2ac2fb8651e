/// The comparison of two sources value by value; values that one is ahead of the other are held.
struct SequenceEqual<Value, Failure: Error>: Join {
  typealias LeftFailure = Failure
  typealias RightFailure = Failure
  typealias Output = Bool

  static var startsRightFirst: Bool { false }

  let areEqual: (Value, Value) -> Bool
  let bound: Bound<Failure>?

  private typealias Memory = Zip<Value, Value, Failure>.Memory

  func observers<Downstream: Receiver<Bool, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Value, Failure>, Observer<Value, Failure>) {
    let link = Link(Memory(), downstream)
    let left = Observer<Value, Failure>(
      link: link,
      value: { link, value in
        if let other = link.memory.right.popFirst() {
          compare(value, other, link)
        } else if link.memory.rightHasCompleted {
          SequenceEqual.answer(false, link)
        } else {
          hold(value, in: \.left, link)
        }
      },
      ending: { link, ending in
        link.memory.leftHasCompleted = true
        SequenceEqual.end(link, ending, isBehind: !link.memory.right.isEmpty)
      })
    let right = Observer<Value, Failure>(
      link: link,
      value: { link, value in
        if let other = link.memory.left.popFirst() {
          compare(other, value, link)
        } else if link.memory.leftHasCompleted {
          SequenceEqual.answer(false, link)
        } else {
          hold(value, in: \.right, link)
        }
      },
      ending: { link, ending in
        link.memory.rightHasCompleted = true
        SequenceEqual.end(link, ending, isBehind: !link.memory.left.isEmpty)
      })
    return (left, right)
  }

  private func hold<Downstream: Receiver<Bool, Failure>>(
    _ value: Value, in side: WritableKeyPath<Memory, Fifo<Value>>, _ link: Link<Memory, Downstream>
  ) {
    if let error = link.memory[keyPath: side].append(value, within: bound) { link.downstream.end(.failed(error)) }
  }

  private func compare<Downstream: Receiver<Bool, Failure>>(
    _ left: Value, _ right: Value, _ link: Link<Memory, Downstream>
  ) {
    if !areEqual(left, right) { SequenceEqual.answer(false, link) }
  }

  private static func answer<Downstream: Receiver<Bool, Failure>>(_ answer: Bool, _ link: Link<Memory, Downstream>) {
    link.downstream.receive(answer)
    link.downstream.end(.completed)
  }

  /// Ends one source.
  ///
  /// `isBehind` indicates that it has emitted fewer values than the other.
  private static func end<Downstream: Receiver<Bool, Failure>>(
    _ link: Link<Memory, Downstream>, _ ending: Ending<Failure>, isBehind: Bool
  ) {
    guard case .completed = ending else { return link.downstream.end(ending) }
    if isBehind {
      answer(false, link)
    } else if link.memory.leftHasCompleted && link.memory.rightHasCompleted {
      answer(true, link)
    }
  }
}

extension Signal {
  /// The comparison with another signal, value by value: emits true when both have completed, false at the first
  /// difference.
  ///
  /// Values that one is ahead of the other are held. If the bound drops some, those that remain are compared. Rx's
  /// `sequenceEqual`.
  ///
  /// - Parameters:
  ///   - other: The stream to compare with.
  ///   - limit: The number of values that may be held, and the treatment of one more; unlimited by default.
  ///   - areEqual: The comparison of a value of this stream with one of the other.
  public func sequenceEqual(
    _ other: Signal<Value, Failure>, limit: Bound<Failure>? = nil, by areEqual: @escaping (Value, Value) -> Bool
  ) -> Signal<Bool, Failure> {
    apply(SequenceEqual(areEqual: areEqual, bound: limit), with: other)
  }
}

extension Signal where Value: Equatable {
  /// The comparison with another signal, value by value: emits true when both have completed, false at the first
  /// difference.
  ///
  /// - Parameters:
  ///   - other: The stream to compare with.
  ///   - limit: The number of values that may be held, and the treatment of one more; unlimited by default.
  public func sequenceEqual(
    _ other: Signal<Value, Failure>, limit: Bound<Failure>? = nil
  ) -> Signal<Bool, Failure> {
    sequenceEqual(other, limit: limit) { $0 == $1 }
  }
}

extension SignalProducer {
  /// The comparison with another producer, value by value: emits true when both have completed, false at the first
  /// difference.
  ///
  /// Values that one is ahead of the other are held. If the bound drops some, those that remain are compared. Rx's
  /// `sequenceEqual`.
  ///
  /// - Parameters:
  ///   - other: The stream to compare with.
  ///   - limit: The number of values that may be held, and the treatment of one more; unlimited by default.
  ///   - areEqual: The comparison of a value of this stream with one of the other.
  public func sequenceEqual(
    _ other: SignalProducer<Value, Failure>, limit: Bound<Failure>? = nil,
    by areEqual: @escaping (Value, Value) -> Bool
  ) -> SignalProducer<Bool, Failure> {
    apply(SequenceEqual(areEqual: areEqual, bound: limit), with: other)
  }
}

extension SignalProducer where Value: Equatable {
  /// The comparison with another producer, value by value: emits true when both have completed, false at the first
  /// difference.
  ///
  /// - Parameters:
  ///   - other: The stream to compare with.
  ///   - limit: The number of values that may be held, and the treatment of one more; unlimited by default.
  public func sequenceEqual(
    _ other: SignalProducer<Value, Failure>, limit: Bound<Failure>? = nil
  ) -> SignalProducer<Bool, Failure> {
    sequenceEqual(other, limit: limit) { $0 == $1 }
  }
}
