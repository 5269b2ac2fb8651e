/// Emits the values so far at each value of a notifier.
struct CollectOn<Left, Failure: Error>: Join {
  typealias LeftFailure = Failure
  typealias Right = ()
  typealias RightFailure = Never
  typealias Output = [Left]

  static var startsRightFirst: Bool { false }

  let skipsEmpty: Bool
  let bound: Bound<Failure>?

  func observers<Downstream: Receiver<[Left], Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> (Observer<Left, Failure>, Observer<(), Never>) {
    let link = Link(Fifo<Left>(), downstream)
    let left = Observer<Left, Failure>(
      link: link,
      value: { link, value in
        if let error = link.memory.append(value, within: bound) { link.downstream.end(.failed(error)) }
      },
      ending: { link, ending in
        if case .completed = ending, !link.memory.isEmpty { send(link) }
        link.downstream.end(ending)
      })
    let right = Observer<(), Never>(
      link: link, value: { link, _ in if !skipsEmpty || !link.memory.isEmpty { send(link) } },
      ending: { if case .interrupted = $1 { $0.downstream.end(.interrupted) } })
    return (left, right)
  }

  private func send<Downstream: Receiver<[Left], Failure>>(_ link: Link<Fifo<Left>, Downstream>) {
    let values = link.memory.all
    link.memory.removeAll()
    link.downstream.receive(values)
  }
}

extension Signal {
  /// The values since the last list, each time that the notifier emits; the rest when this signal completes.
  ///
  /// Empty lists are emitted too unless `skipEmpty`. Continues when the notifier completes; it it is interrupted with
  /// either.
  ///
  /// - Parameters:
  ///   - notifier: The stream that triggers a list.
  ///   - skipEmpty: Pass `true` to emit nothing when there was no value.
  ///   - limit: The number of values that may be held, and the treatment of one more; unlimited by default.
  public func collect(
    on notifier: Signal<(), Never>, skipEmpty: Bool = false, limit: Bound<Failure>? = nil
  ) -> Signal<[Value], Failure> {
    apply(CollectOn(skipsEmpty: skipEmpty, bound: limit), with: notifier)
  }
}

extension SignalProducer {
  /// The values since the last list, each time that the notifier emits; the rest when this producer completes.
  ///
  /// Empty lists are emitted too unless `skipEmpty`. Continues when the notifier completes; it it is interrupted with
  /// either.
  ///
  /// - Parameters:
  ///   - notifier: The stream that triggers a list.
  ///   - skipEmpty: Pass `true` to emit nothing when there was no value.
  ///   - limit: The number of values that may be held, and the treatment of one more; unlimited by default.
  public func collect(
    on notifier: SignalProducer<(), Never>, skipEmpty: Bool = false, limit: Bound<Failure>? = nil
  ) -> SignalProducer<[Value], Failure> {
    apply(CollectOn(skipsEmpty: skipEmpty, bound: limit), with: notifier)
  }
}
