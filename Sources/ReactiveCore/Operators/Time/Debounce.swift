/// Holds the last value until nothing has come for a while.
///
/// One timer runs at a time; if values have come since it was set, it is set anew for what is left of the wait.
struct Debounce<Input, Failure: Error>: ScopedOperator {
  let interval: Duration
  let scheduler: any DateScheduler
  let discardsWhenCompleted: Bool

  private struct Memory {
    var pending: Input?
    var due = Instant.zero
    var isWaiting = false
  }

  func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    Observer(
      link: TimedLink(Memory(), downstream, scope, scheduler),
      value: { link, value in
        link.memory.pending = value
        link.memory.due = scheduler.currentDate + interval
        if !link.memory.isWaiting { wait(link) }
      },
      ending: { link, ending in
        link.end(ending) { if !discardsWhenCompleted { sendPending($0) } }
      })
  }

  private func wait<Downstream: Receiver<Input, Failure>>(_ link: TimedLink<Memory, Downstream>) {
    link.memory.isWaiting = true
    link.wait(until: link.memory.due) { link in
      if link.memory.due <= scheduler.currentDate { sendPending(link) } else { wait(link) }
    }
  }

  private func sendPending<Downstream: Receiver<Input, Failure>>(_ link: TimedLink<Memory, Downstream>) {
    link.memory.isWaiting = false
    guard let value = link.memory.pending else { return }
    link.memory.pending = nil
    link.downstream.receive(value)
  }
}

extension Signal {
  /// A value once none has followed it for `interval` seconds.
  ///
  /// What is held when the signal completes is dropped, or sent before the completion if `discardWhenCompleted` is
  /// false; other endings drop it.
  public func debounce(
    _ interval: Double, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
  ) -> Signal<Value, Failure> {
    apply(
      Debounce(
        interval: .timeInterval(interval), scheduler: scheduler, discardsWhenCompleted: discardWhenCompleted))
  }
}

extension SignalProducer {
  /// A value once none has followed it for `interval` seconds.
  ///
  /// What is held when the producer completes is dropped, or sent before the completion if `discardWhenCompleted` is
  /// false; other endings drop it.
  public func debounce(
    _ interval: Double, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
  ) -> SignalProducer<Value, Failure> {
    apply(
      Debounce(
        interval: .timeInterval(interval), scheduler: scheduler, discardsWhenCompleted: discardWhenCompleted))
  }
}
