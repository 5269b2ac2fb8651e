/// Looks at the events without changing them.
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
  /// The same events, each looked at before it goes on; `disposed` is called when this signal's source is left.
  public func on(
    event: ((Event) -> Void)? = nil, failed: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil,
    interrupted: (() -> Void)? = nil, terminated: (() -> Void)? = nil, disposed: (() -> Void)? = nil,
    value: ((Value) -> Void)? = nil
  ) -> Signal<Value, Failure> {
    let watched = apply(
      On(
        event: event, failed: failed, completed: completed, interrupted: interrupted, terminated: terminated,
        value: value))
    guard let disposed else { return watched }
    return Signal { observer, lifetime in
      lifetime.observeEnded(disposed)
      lifetime += watched.observe(observer)
    }
  }
}

extension SignalProducer {
  /// The same events, each looked at before it goes on.
  ///
  /// `starting` is called before the work of a run begins and `started` after it has begun; `disposed` when the run has
  /// let everything go.
  public func on(
    starting: (() -> Void)? = nil, started: (() -> Void)? = nil, event: ((Event) -> Void)? = nil,
    failed: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil, interrupted: (() -> Void)? = nil,
    terminated: (() -> Void)? = nil, disposed: (() -> Void)? = nil, value: ((Value) -> Void)? = nil
  ) -> SignalProducer<Value, Failure> {
    let watched = apply(
      On(
        event: event, failed: failed, completed: completed, interrupted: interrupted, terminated: terminated,
        value: value))
    return SignalProducer(begin: { observer, run in
      if let disposed { run.resources.add(disposed) }
      starting?()
      watched.begin(observer, run)
      started?()
    })
  }
}
