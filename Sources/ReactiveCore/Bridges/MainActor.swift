// The compiler can check these: the closure may use the main actor's state, and values from other threads must be
// `Sendable`. Events that are sent on the main queue are delivered at once, as with ``UIScheduler``.

public import Signals

extension Signal where Value: Sendable {
  /// Observes all events on the main actor; nil if the signal has ended, in which case the closure gets `interrupted`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.self`.
  ///   - action: Called with each event: at once on the main queue if nothing is in line, else in its turn.
  /// - Returns: A disposable that ends the observation; once it was disposed of on the main actor, nothing follows
  ///   there.
  @discardableResult public func observe(
    on actor: MainActor.Type, _ action: @escaping @MainActor (Event) -> Void
  ) -> (any Disposable)? {
    observe(on: UIScheduler()).observe { event in MainActor.assumeIsolated { action(event) } }
  }
}

extension Signal where Value: Sendable, Failure == Never {
  /// Observes the values on the main actor; see `observe(on:_:)`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.self`.
  ///   - action: Called with each value.
  /// - Returns: A disposable that ends the observation; nil if the signal has ended.
  @discardableResult public func observeValues(
    on actor: MainActor.Type, _ action: @escaping @MainActor (Value) -> Void
  ) -> (any Disposable)? {
    observe(on: UIScheduler()).observeValues { value in MainActor.assumeIsolated { action(value) } }
  }
}

extension SignalProducer where Value: Sendable {
  /// Starts a run, on this thread, that sends its events to the main actor.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.self`.
  ///   - action: Called with each event: at once on the main queue if nothing is in line, else in its turn.
  /// - Returns: A disposable that interrupts the run; once it was disposed of on the main actor, nothing else follows
  ///   there.
  @discardableResult public func start(
    on actor: MainActor.Type, _ action: @escaping @MainActor (Event) -> Void
  ) -> any Disposable {
    observe(on: UIScheduler()).start { event in MainActor.assumeIsolated { action(event) } }
  }
}

extension SignalProducer where Value: Sendable, Failure == Never {
  /// Starts a run, on this thread, that sends its values to the main actor; see `start(on:_:)`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.self`.
  ///   - action: Called with each value.
  /// - Returns: A disposable that interrupts the run.
  @discardableResult public func startWithValues(
    on actor: MainActor.Type, _ action: @escaping @MainActor (Value) -> Void
  ) -> any Disposable {
    observe(on: UIScheduler()).startWithValues { value in MainActor.assumeIsolated { action(value) } }
  }
}
