extension SignalProducer {
  /// A producer whose runs do what `startHandler` does: it sends to the observer, from any threads, and hangs on the
  /// lifetime what is to be let go when the run ends.
  public init(_ startHandler: @escaping (Observer, Lifetime) -> Void) {
    self.init(begin: { observer, run in
      let input = RunInput(observer, run)
      guard run.begin(with: input) else { return }
      startHandler(
        Observer(link: input, value: { $0.send($1) }, ending: { $0.send($1) }), Lifetime(run.resources))
    })
  }

  /// A producer of the events of a signal from then on.
  @inlinable public init(_ signal: Signal<Value, Failure>) {
    self.init(begin: { observer, run in
      guard run.begin(with: Relay(observer)) else { return }
      signal.feed(observer, in: run)
    })
  }

  /// A producer of one value.
  @inlinable public init(value: Value) { self.init(CollectionOfOne(value)) }

  /// A producer of the values of a sequence.
  @inlinable public init<Values: Sequence>(_ values: Values) where Values.Element == Value {
    self.init(begin: { observer, run in
      // The domain is held throughout, so a value costs a call. It is free now, unless the run is being interrupted.
      guard run.enter() else { return }
      if run.isLive { run.head = Relay(observer) }
      for value in values {
        guard run.isLive else { break }
        observer.receive(value)
      }
      if run.isLive { observer.end(.completed) }
      run.leave()
    })
  }

  /// A producer of two or more values.
  @inlinable public init(values first: Value, _ second: Value, _ others: Value...) {
    self.init([first, second] + others)
  }

  /// A producer that fails at once.
  @inlinable public init(error: Failure) { self.init(ending: .failed(error)) }

  /// A producer that computes one value, or fails, at each start.
  @inlinable public init(_ action: @escaping () -> Result<Value, Failure>) {
    self.init({ observer, _ in
      switch action() {
      case .success(let value):
        observer.send(value: value)
        observer.sendCompleted()
      case .failure(let error): observer.send(error: error)
      }
    })
  }

  /// A producer of one value, or of a failure.
  @inlinable public init(result: Result<Value, Failure>) { self.init({ result }) }

  /// A producer that computes one value at each start.
  @inlinable public init(_ action: @escaping () -> Value) { self.init({ Result<Value, Failure>.success(action()) }) }

  /// A producer that is completed at once.
  @inlinable public static var empty: SignalProducer { SignalProducer(ending: .completed) }

  /// A producer that never sends anything.
  @inlinable public static var never: SignalProducer {
    SignalProducer(begin: { observer, run in _ = run.begin(with: Relay(observer)) })
  }

  @inlinable init(ending: Ending<Failure>) {
    self.init(begin: { observer, run in
      run.perform { if run.isLive { observer.end(ending) } }
    })
  }
}

/// What a producer's work sends to: from any thread, until the run ends; then it holds nothing any more.
@usableFromInline final class RunInput<Value, Failure: Error>: Interruptible {
  private let run: Run
  /// The observer, in an object of its own, so that calling it takes no retain and it can be let go.
  @exclusivity(unchecked) private var relay: Unmanaged<Relay<Value, Failure>>?

  init(_ observer: Observer<Value, Failure>, _ run: Run) {
    self.run = run
    relay = .passRetained(Relay(observer))
  }

  deinit { relay?.release() }

  func send(_ value: Value) {
    guard run.isLive else { return }
    run.perform { self.receive(value) }
  }

  func send(_ ending: Ending<Failure>) {
    guard run.isLive else { return }
    run.perform { self.end(ending) }
  }

  @usableFromInline func interrupt() { end(.interrupted) }

  private func receive(_ value: Value) {
    relay?._withUnsafeGuaranteedRef { $0.receive(value) }
    letGoIfOver()
  }

  private func end(_ ending: Ending<Failure>) {
    relay?._withUnsafeGuaranteedRef { $0.end(ending) }
    letGoIfOver()
  }

  /// Called between two deliveries: an operator may have ended the run in the middle of one.
  private func letGoIfOver() {
    guard run.hasEnded else { return }
    relay?.release()
    relay = nil
  }
}
