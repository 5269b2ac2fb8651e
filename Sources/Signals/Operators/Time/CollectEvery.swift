/// Emits the values of each of equal spans of time.
struct CollectEvery<Input, Failure: Error>: ScopedOperator {
  typealias Output = [Input]
  let interval: Duration
  let scheduler: any DateScheduler
  let skipsEmpty: Bool
  let discardsWhenCompleted: Bool

  private struct Memory {
    var values: [Input] = []
    var hasCompleted = false
  }

  var deliverer: (any Scheduler)? { scheduler }

  func observer<Downstream: Receiver<[Input], Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    precondition(interval > .zero, "an interval must be longer than nothing")
    let link = TimedLink(Memory(), downstream, scope, scheduler, whenDue: send)
    link.tick(every: interval)
    return Observer(
      link: link, value: { $0.memory.values.append($1) },
      ending: { link, ending in
        if case .completed = ending, !discardsWhenCompleted {
          link.memory.hasCompleted = true
        } else {
          link.end(ending) { _ in }
        }
      })
  }

  private func send<Downstream: Receiver<[Input], Failure>>(_ link: TimedLink<Memory, Downstream>) {
    let values = link.memory.values
    if !values.isEmpty || !skipsEmpty {
      link.memory.values.removeAll()
      link.downstream.receive(values)
    }
    if link.memory.hasCompleted { link.downstream.end(.completed) }
  }
}

extension Signal {
  /// The values of each span of `interval`, at its end, in a list; empty lists are omitted if `skipEmpty`.
  ///
  /// Values held when the signal completes are dropped. If `discardWhenCompleted` is false they are emitted at the end
  /// of their span, and the completion after them. Other endings drop them.
  ///
  /// - Parameters:
  ///   - interval: The length of a span.
  ///   - scheduler: The scheduler that measures the time and emits lists and completion.
  ///   - skipEmpty: Pass `true` to emit nothing for a span without values.
  ///   - discardWhenCompleted: Pass `false` to emit values that are held at the completion.
  /// - Precondition: `interval` is positive.
  public func collect(
    every interval: Duration, on scheduler: any DateScheduler, skipEmpty: Bool = false,
    discardWhenCompleted: Bool = true
  ) -> Signal<[Value], Failure> {
    apply(
      CollectEvery(
        interval: interval, scheduler: scheduler, skipsEmpty: skipEmpty,
        discardsWhenCompleted: discardWhenCompleted))
  }
}

extension SignalProducer {
  /// The values of each span of `interval`, at its end, in a list; empty lists are omitted if `skipEmpty`.
  ///
  /// Values held when the producer completes are dropped. If `discardWhenCompleted` is false they are emitted at the
  /// end of their span, and the completion after them. Other endings drop them.
  ///
  /// - Parameters:
  ///   - interval: The length of a span.
  ///   - scheduler: The scheduler that measures the time and emits lists and completion.
  ///   - skipEmpty: Pass `true` to emit nothing for a span without values.
  ///   - discardWhenCompleted: Pass `false` to emit values that are held at the completion.
  /// - Precondition: `interval` is positive.
  public func collect(
    every interval: Duration, on scheduler: any DateScheduler, skipEmpty: Bool = false,
    discardWhenCompleted: Bool = true
  ) -> SignalProducer<[Value], Failure> {
    apply(
      CollectEvery(
        interval: interval, scheduler: scheduler, skipsEmpty: skipEmpty,
        discardsWhenCompleted: discardWhenCompleted))
  }
}
