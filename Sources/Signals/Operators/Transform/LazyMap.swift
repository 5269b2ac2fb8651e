/// Transforms values on delivery, on the scheduler; values that were replaced meanwhile are never transformed.
struct LazyMap<Input, Output, Failure: Error>: ScopedOperator {
  let scheduler: any Scheduler
  let transform: (Input) -> Output

  var deliverer: (any Scheduler)? { scheduler }

  func observer<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream, in scope: Scope
  ) -> Observer<Input, Failure> {
    Observer(
      link: Link(nil as Input?, downstream),
      value: { link, value in
        let isScheduled = link.memory != nil
        link.memory = value
        if !isScheduled { scheduler.schedule { scope.perform { send(link) } } }
      },
      ending: { link, ending in
        guard case .completed = ending else {
          link.memory = nil
          return link.downstream.end(ending)
        }
        scheduler.schedule { scope.perform { link.downstream.end(.completed) } }
      })
  }

  private func send<Downstream: Receiver<Output, Failure>>(_ link: Link<Input?, Downstream>) {
    guard let value = link.memory else { return }
    link.memory = nil
    link.downstream.receive(transform(value))
  }
}

extension Signal {
  /// The latest value transformed whenever the scheduler runs it; values that were replaced are never transformed.
  ///
  /// The completion is delivered by the scheduler too; `failed` and `interrupted` are delivered at once and drop what
  /// is held.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that transforms and emits.
  ///   - transform: The transformation, which runs on the scheduler.
  public func lazyMap<U>(on scheduler: any Scheduler, transform: @escaping (Value) -> U) -> Signal<U, Failure> {
    apply(LazyMap(scheduler: scheduler, transform: transform))
  }
}

extension SignalProducer {
  /// The latest value transformed whenever the scheduler runs it; values that were replaced are never transformed.
  ///
  /// The completion is delivered by the scheduler too; `failed` and `interrupted` are delivered at once and drop what
  /// is held.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that transforms and emits.
  ///   - transform: The transformation, which runs on the scheduler.
  public func lazyMap<U>(on scheduler: any Scheduler, transform: @escaping (Value) -> U) -> SignalProducer<U, Failure> {
    apply(LazyMap(scheduler: scheduler, transform: transform))
  }
}
