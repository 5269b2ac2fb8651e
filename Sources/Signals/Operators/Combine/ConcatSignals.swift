/// Consecutive signals; the values of later ones are held until their turn.
private final class Succeeding<Downstream: Receiver> {
  typealias Failure = Downstream.Failure

  /// The values that a signal has sent before its turn.
  private struct Held {
    var values = Fifo<Downstream.Value>()
    var hasCompleted = false
  }

  private let downstream: Downstream
  private let bound: Bound<Failure>?
  @exclusivity(unchecked) private var held: [Held]
  @exclusivity(unchecked) private var turn = 0

  init(_ downstream: Downstream, count: Int, _ bound: Bound<Failure>?) {
    (self.downstream, self.bound) = (downstream, bound)
    held = Array(repeating: Held(), count: count)
  }

  func receive(_ value: Downstream.Value, from index: Int) {
    if index == turn { return downstream.receive(value) }
    if let error = held[index].values.append(value, within: bound) { downstream.end(.failed(error)) }
  }

  func end(_ ending: Ending<Failure>, of index: Int) {
    guard case .completed = ending else { return downstream.end(ending) }
    held[index].hasCompleted = true
    while turn < held.count, held[turn].hasCompleted { resume() }
    if turn == held.count { downstream.end(.completed) }
  }

  private func resume() {
    turn += 1
    guard turn < held.count else { return }
    while let value = held[turn].values.popFirst() { downstream.receive(value) }
  }
}

private struct ConcatOfAll<Input, Failure: Error>: CollectionJoin {
  typealias Output = Input

  let bound: Bound<Failure>?

  func observers<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, count: Int
  ) -> [Observer<Input, Failure>] {
    let link = Succeeding(downstream, count: count, bound)
    return (0..<count).map { index in
      Observer(link: link, value: { $0.receive($1, from: index) }, ending: { $0.end($1, of: index) })
    }
  }
}

extension Signal {
  /// The values of signals one after the other, as if each began when the previous one completed.
  ///
  /// Signals emit regardless of their turn, so the values that a later one emits early are held. A failure or an
  /// interruption of any ends it at once, and held values are dropped.
  ///
  /// - Parameters:
  ///   - signals: The signals, in the order of their turns.
  ///   - limit: The number of values of each later signal that may be held, and the treatment of one more;
  ///     unlimited by default.
  public static func concat<Signals: Sequence>(
    _ signals: Signals, limit: Bound<Failure>? = nil
  ) -> Signal<Value, Failure> where Signals.Element == Signal<Value, Failure> {
    apply(ConcatOfAll(bound: limit), to: Array(signals))
  }

  /// The values of signals one after the other, as if each began when the previous one completed.
  public static func concat(_ signals: Signal<Value, Failure>...) -> Signal<Value, Failure> { concat(signals) }

  /// The values of this signal and, once it has completed, those of another, which are held until then.
  ///
  /// A stream that is known to have ended, such as `.empty`, is taken for a producer.
  ///
  /// - Parameters:
  ///   - next: The second signal.
  ///   - limit: The number of values that may be held, and the treatment of one more; unlimited by default.
  @_disfavoredOverload public func concat(_ next: Signal<Value, Failure>, limit: Bound<Failure>? = nil) -> Signal<
    Value, Failure
  > {
    .concat([self, next], limit: limit)
  }
}
