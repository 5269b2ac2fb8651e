/// Holds the last value until nothing has come for a while.
///
/// One timer runs at a time; if values have come since it was set, it is set anew for what is left of the wait.
@usableFromInline struct Debounce<Input, Failure: Error>: ScopedOperator {
  let interval: Duration
  let scheduler: any DateScheduler
  let discardsWhenCompleted: Bool

  @usableFromInline init(_ seconds: Double, _ scheduler: any DateScheduler, _ discardsWhenCompleted: Bool) {
    interval = .timeInterval(seconds)
    self.scheduler = scheduler
    self.discardsWhenCompleted = discardsWhenCompleted
  }

  private struct Memory {
    var pending: Input?
    var due = Instant.zero
    var isWaiting = false
  }

  @usableFromInline func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    let timer = SerialDisposable()
    scope.resources.hold(timer)
    return Observer(
      link: Link(Memory(), downstream),
      value: { link, value in
        link.memory.pending = value
        link.memory.due = scheduler.currentDate + interval
        guard !link.memory.isWaiting else { return }
        link.memory.isWaiting = true
        wait(timer, link, scope)
      },
      ending: { link, ending in
        if case .completed = ending, !discardsWhenCompleted, let value = link.memory.pending {
          link.downstream.receive(value)
        }
        link.memory.pending = nil
        timer.dispose()
        link.downstream.end(ending)
      })
  }

  private func wait<Downstream>(_ timer: SerialDisposable, _ link: Link<Memory, Downstream>, _ scope: Scope)
  where Downstream: Receiver<Input, Failure> {
    timer.inner = scheduler.schedule(after: link.memory.due) {
      scope.perform { fire(timer, link, scope) }
    }
  }

  private func fire<Downstream>(_ timer: SerialDisposable, _ link: Link<Memory, Downstream>, _ scope: Scope)
  where Downstream: Receiver<Input, Failure> {
    guard let value = link.memory.pending else { return }
    guard link.memory.due <= scheduler.currentDate else { return wait(timer, link, scope) }
    link.memory.isWaiting = false
    link.memory.pending = nil
    link.downstream.receive(value)
  }
}

extension Signal {
  /// A value once none has followed it for `interval` seconds.
  ///
  /// What is held when the signal completes is dropped, or sent at once if `discardWhenCompleted` is false; other
  /// endings drop it.
  public func debounce(
    _ interval: Double, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
  ) -> Signal<Value, Failure> {
    apply(Debounce(interval, scheduler, discardWhenCompleted))
  }
}

extension SignalProducer {
  /// A value once none has followed it for `interval` seconds.
  ///
  /// What is held when the producer completes is dropped, or sent at once if `discardWhenCompleted` is false; other
  /// endings drop it.
  public func debounce(
    _ interval: Double, on scheduler: any DateScheduler, discardWhenCompleted: Bool = true
  ) -> SignalProducer<Value, Failure> {
    apply(Debounce(interval, scheduler, discardWhenCompleted))
  }
}
