extension SignalProducer {
  /// A producer whose runs each call `startHandler`.
  ///
  /// - Parameter startHandler: The work of a run. It sends to the observer, from any threads, and adds to the lifetime
  ///   what is to be released when the run ends.
  @inlinable public init(_ startHandler: @escaping (Observer, Lifetime) -> Void) {
    self.init(begin: { observer, run in
      guard let input = SignalProducer.input(of: run, to: observer) else { return }
      startHandler(input, Lifetime(run))
    })
  }

  /// A producer of the events of a signal from then on.
  @inlinable public init(_ signal: Signal<Value, Failure>) { self.init(following: signal) }

  /// A producer of one value.
  @inlinable public init(value: Value) { self.init(known: { .value(value) }) }

  /// A producer of the values of a sequence.
  @inlinable public init<Values: Sequence>(_ values: Values) where Values.Element == Value {
    self.init(begin: { observer, run in
      SignalProducer.send(values, to: observer, in: run)
    })
  }

  /// A producer of two or more values.
  @inlinable public init(values first: Value, _ second: Value, _ others: Value...) {
    self.init([first, second] + others)
  }

  /// A producer that fails at once.
  @inlinable public init(error: Failure) { self.init(known: { .ending(.failed(error)) }) }

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

  /// A producer that computes one value at each start, or fails with the thrown error.
  @_disfavoredOverload @inlinable public init(catching action: @escaping () throws(Failure) -> Value) {
    self.init { () -> Result<Value, Failure> in
      do throws(Failure) { return .success(try action()) } catch { return .failure(error) }
    }
  }

  /// A producer of one value, or of a failure.
  @inlinable public init(result: Result<Value, Failure>) { self.init({ result }) }

  /// A producer that computes one value at each start.
  @inlinable public init(_ action: @escaping () -> Value) { self.init({ Result<Value, Failure>.success(action()) }) }

  /// A producer that is completed at once.
  @inlinable public static var empty: SignalProducer { SignalProducer(known: { .ending(.completed) }) }

  /// A producer that never emits.
  @inlinable public static var never: SignalProducer {
    SignalProducer(begin: { observer, run in _ = run.begin(with: observer) })
  }
}
