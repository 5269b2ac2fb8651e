/// Delays each value and the completion.
struct Delay<Input, Failure: Error>: ScopedOperator {
  let interval: Duration
  let scheduler: any DateScheduler

  /// A delayed value and its due time; nil is the completion.
  fileprivate struct Held {
    let due: Instant
    let value: Input?
  }

  private typealias Memory = Fifo<Held>

  var deliverer: (any Scheduler)? { scheduler }

  func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    Observer(
      link: TimedLink(Memory(), downstream, scope, scheduler, whenDue: sendDue),
      value: { hold($1, $0) },
      ending: { link, ending in
        if case .completed = ending { hold(nil, link) } else { link.end(ending) { _ in } }
      })
  }

  private func hold<Downstream: Receiver<Input, Failure>>(_ value: Input?, _ link: TimedLink<Memory, Downstream>) {
    link.memory.append(Held(due: scheduler.currentDate + interval, value: value))
    if link.memory.count == 1 { wait(link) }
  }

  private func wait<Downstream: Receiver<Input, Failure>>(_ link: TimedLink<Memory, Downstream>) {
    guard let next = link.memory.first else { return }
    link.wait(until: next.due)
  }

  private func sendDue<Downstream: Receiver<Input, Failure>>(_ link: TimedLink<Memory, Downstream>) {
    let moment = link.moment
    while let next = link.memory.first, next.due <= moment {
      _ = link.memory.popFirst()
      if let value = next.value { link.downstream.receive(value) } else { link.downstream.end(.completed) }
    }
    wait(link)
  }
}

extension Delay.Held: StateCodable where Input: StateCodable {
  func encode(to writer: inout StateEncoder) {
    due.encode(to: &writer)
    value.encode(to: &writer)
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    self.init(due: try Instant(from: &reader), value: try Input?(from: &reader))
  }
}

extension Signal {
  /// Each value, and the completion, `interval` later; `failed` and `interrupted` at once, dropping held values.
  ///
  /// - Parameters:
  ///   - interval: The delay.
  ///   - scheduler: The scheduler that measures the time and emits values and completion.
  public func delay(_ interval: Duration, on scheduler: any DateScheduler) -> Signal<Value, Failure> {
    apply(Delay(interval: interval, scheduler: scheduler))
  }
}

extension SignalProducer {
  /// Each value, and the completion, `interval` later; `failed` and `interrupted` at once, dropping held values.
  ///
  /// - Parameters:
  ///   - interval: The delay.
  ///   - scheduler: The scheduler that measures the time and emits values and completion.
  public func delay(_ interval: Duration, on scheduler: any DateScheduler) -> SignalProducer<Value, Failure> {
    apply(Delay(interval: interval, scheduler: scheduler))
  }
}
