extension SignalProducer {
  /// Starts a run that sends to `observer`; disposing of the result interrupts it.
  @inlinable @discardableResult public func start(_ observer: Observer) -> any Disposable {
    let run = Run()
    start(observer, as: run)
    return run
  }

  /// Starts a run that sends its events to `action`.
  ///
  /// - Parameters:
  ///   - action: Called with each event.
  ///   - isolation: The actor of the calling code, which the compiler fills in. If that is the main actor, the closure
  ///     stops the program when it is called elsewhere. This also holds for the forms for only some of the events.
  /// - Returns: A disposable that interrupts the run.
  @inlinable @discardableResult public func start(
    _ action: @escaping (Event) -> Void, isolation: (any Actor)? = #isolation
  ) -> any Disposable {
    start(Observer(action, isolation: isolation))
  }

  /// Starts a run without observing its events.
  @inlinable @discardableResult public func start() -> any Disposable { start(Observer()) }

  /// Starts a run after `setup` has received its signal, so that immediate events can be observed.
  ///
  /// Releasing the signal while it has no observer interrupts the run, too.
  ///
  /// - Parameter setup: Called before the work begins, with the signal and the disposable that interrupts the run.
  /// - Returns: The result of `setup`.
  @inlinable @discardableResult public func startWithSignal<Result>(
    _ setup: (_ signal: Signal<Value, Failure>, _ interruptHandle: any Disposable) -> Result
  ) -> Result {
    let run = Run()
    let node = Node<Value, Failure>(domain: run)
    node.source = run
    let terminal = Terminal(Observer(link: node, value: { $0.receive($1) }, ending: { $0.end($1) }), run)
    run.head = terminal
    let signal = Signal(node)
    let result = setup(signal, run)
    if run.isLive { begin(terminal.asObserver, run) }
    return withExtendedLifetime(signal) { result }
  }

  /// Starts a run; `hold` gives it to its holder, which may have disposed of it already.
  @inlinable @inline(__always) package func start(
    _ observer: Observer, as run: Run, heldBy hold: (Run) -> Void = { _ in }
  ) {
    let terminal = Terminal(observer, run)
    run.head = terminal
    hold(run)
    if run.isLive { begin(terminal.asObserver, run) }
  }

  /// Starts a run that others already hold: if they have disposed of it, its observer is interrupted.
  package func start(_ observer: Observer, asPublished run: Run) {
    let terminal = Terminal(observer, run)
    if run.begin(with: terminal) {
      begin(terminal.asObserver, run)
    } else {
      run.perform { run.refuse(terminal) }
    }
  }

  /// Starts a run that sends to `observer` within `scope`, until the scope is disposed of.
  @inlinable package func feed(_ observer: Observer, in scope: Scope) {
    // Held before the start, so that a scope that ends meanwhile stops it.
    let run = Run()
    let terminal = Terminal(observer, run, entering: scope)
    run.head = terminal
    scope.hold(run)
    if run.isLive { begin(terminal.asObserver, run) }
  }
}

extension SignalProducer where Failure == Never {
  /// Starts a run that sends its values to `action`.
  ///
  /// - Parameters:
  ///   - action: Called with each value.
  ///   - isolation: The actor of the calling code; see `start(_:isolation:)`.
  /// - Returns: A disposable that interrupts the run.
  @inlinable @discardableResult public func startWithValues(
    _ action: @escaping (Value) -> Void, isolation: (any Actor)? = #isolation
  ) -> any Disposable {
    start(Observer(value: guarded(action, isolation), ending: { _ in }))
  }
}

extension SignalProducer {
  /// Starts a run that calls `action` when it completes.
  ///
  /// - Parameters:
  ///   - action: Called at the completion.
  ///   - isolation: The actor of the calling code; see `start(_:isolation:)`.
  /// - Returns: A disposable that interrupts the run.
  @discardableResult public func startWithCompleted(
    _ action: @escaping () -> Void, isolation: (any Actor)? = #isolation
  ) -> any Disposable {
    start(Observer(completed: action, isolation: isolation))
  }

  /// Starts a run that calls `action` with its error.
  ///
  /// - Parameters:
  ///   - action: Called with the error of a failure.
  ///   - isolation: The actor of the calling code; see `start(_:isolation:)`.
  /// - Returns: A disposable that interrupts the run.
  @discardableResult public func startWithFailed(
    _ action: @escaping (Failure) -> Void, isolation: (any Actor)? = #isolation
  ) -> any Disposable {
    start(Observer(failed: action, isolation: isolation))
  }

  /// Starts a run that calls `action` when it is interrupted.
  ///
  /// - Parameters:
  ///   - action: Called at the interruption.
  ///   - isolation: The actor of the calling code; see `start(_:isolation:)`.
  /// - Returns: A disposable that interrupts the run.
  @discardableResult public func startWithInterrupted(
    _ action: @escaping () -> Void, isolation: (any Actor)? = #isolation
  ) -> any Disposable {
    start(Observer(interrupted: action, isolation: isolation))
  }

  /// Starts a run that sends its values and its error to `action`.
  ///
  /// - Parameters:
  ///   - action: Called with each value, and with the error of a failure.
  ///   - isolation: The actor of the calling code; see `start(_:isolation:)`.
  /// - Returns: A disposable that interrupts the run.
  @discardableResult public func startWithResult(
    _ action: @escaping (Result<Value, Failure>) -> Void, isolation: (any Actor)? = #isolation
  ) -> any Disposable {
    let action = guarded(action, isolation)
    return start(
      Observer(value: { action(.success($0)) }, failed: { action(.failure($0)) }, isolation: nil))
  }
}
