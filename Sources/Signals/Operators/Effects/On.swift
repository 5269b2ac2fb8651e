/// An observer of events that does not change them.
@usableFromInline struct On<Input, Failure: Error>: Operator {
  @usableFromInline let value: ((Input) -> Void)?
  @usableFromInline let event: ((Event<Input, Failure>) -> Void)?
  @usableFromInline let ending: (Ending<Failure>) -> Void

  @usableFromInline init(
    event: ((Event<Input, Failure>) -> Void)?, failed: ((Failure) -> Void)?, completed: (() -> Void)?,
    interrupted: (() -> Void)?, terminated: (() -> Void)?, value: ((Input) -> Void)?
  ) {
    self.value = value
    self.event = event
    self.ending = { ending in
      event?(Event(ending))
      switch ending {
      case .failed(let error): failed?(error)
      case .completed: completed?()
      case .interrupted: interrupted?()
      }
      terminated?()
    }
  }

  @inlinable func observer<Downstream: Receiver<Input, Failure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(
      link: downstream,
      value: { [value, event] downstream, next in
        event?(.value(next))
        value?(next)
        downstream.receive(next)
      },
      ending: { [ending] downstream, last in
        ending(last)
        downstream.end(last)
      })
  }
}

extension Signal {
  /// All events, each shown to the closures before it is emitted.
  ///
  /// - Parameters:
  ///   - event: Called with each event, before the closure that is for it alone.
  ///   - failed: Called with the error of a failure.
  ///   - completed: Called at the completion.
  ///   - interrupted: Called at the interruption.
  ///   - terminated: Called at any ending, after the closure for it.
  ///   - disposed: Called when this signal is disconnected from its source.
  ///   - value: Called with each value.
  ///   - isolation: The actor of the calling code, which the compiler fills in. If that is the main actor, closures
  ///     that are called elsewhere stop the program.
  public func on(
    event: ((Event) -> Void)? = nil, failed: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil,
    interrupted: (() -> Void)? = nil, terminated: (() -> Void)? = nil, disposed: (() -> Void)? = nil,
    value: ((Value) -> Void)? = nil, isolation: (any Actor)? = #isolation
  ) -> Signal<Value, Failure> {
    let watched = apply(
      On(
        event: guarded(orNone: event, isolation), failed: guarded(orNone: failed, isolation),
        completed: guarded(orNone: completed, isolation),
        interrupted: guarded(orNone: interrupted, isolation), terminated: guarded(orNone: terminated, isolation),
        value: guarded(orNone: value, isolation)))
    guard let disposed = guarded(orNone: disposed, isolation) else { return watched }
    return Signal { observer, lifetime in
      lifetime.observeEnded(disposed)
      lifetime += watched.observe(observer)
    }
  }
}

extension SignalProducer {
  /// All events, each shown to the closures before it is emitted.
  ///
  /// - Parameters:
  ///   - starting: Called before the work of a run begins.
  ///   - started: Called after the work has begun.
  ///   - event: Called with each event, before the closure that is for it alone.
  ///   - failed: Called with the error of a failure.
  ///   - completed: Called at the completion.
  ///   - interrupted: Called at the interruption.
  ///   - terminated: Called at any ending, after the closure for it.
  ///   - disposed: Called when a run has released its resources.
  ///   - value: Called with each value.
  ///   - isolation: The actor of the calling code, which the compiler fills in. If that is the main actor, closures
  ///     that are called elsewhere stop the program.
  public func on(
    starting: (() -> Void)? = nil, started: (() -> Void)? = nil, event: ((Event) -> Void)? = nil,
    failed: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil, interrupted: (() -> Void)? = nil,
    terminated: (() -> Void)? = nil, disposed: (() -> Void)? = nil, value: ((Value) -> Void)? = nil,
    isolation: (any Actor)? = #isolation
  ) -> SignalProducer<Value, Failure> {
    let watched = apply(
      On(
        event: guarded(orNone: event, isolation), failed: guarded(orNone: failed, isolation),
        completed: guarded(orNone: completed, isolation),
        interrupted: guarded(orNone: interrupted, isolation), terminated: guarded(orNone: terminated, isolation),
        value: guarded(orNone: value, isolation)))
    let (starting, started) = (guarded(orNone: starting, isolation), guarded(orNone: started, isolation))
    let disposed = guarded(orNone: disposed, isolation)
    return SignalProducer(begin: { observer, run in
      if let disposed { run.resources.add(disposed) }
      starting?()
      watched.begin(observer, run)
      started?()
    })
  }
}
