// What the compiler can check: the closure may use the main actor's state, and values that come from other threads must
// bear that. Events that are sent on the main queue come at once, as with ``UIScheduler``.

extension Signal where Value: Sendable {
  /// Observes all events on the main actor; nil if the signal has ended, in which case the closure hears `interrupted`.
  ///
  /// - Parameters:
  ///   - actor: `MainActor.self`.
  ///   - action: What is done with the events: at once on the main queue if nothing is in line, else when their turn comes.
  /// - Returns: What ends the observation: nothing follows on the main actor once it was disposed of there.
  @discardableResult public func observe(
    on actor: MainActor.Type, _ action: @escaping @MainActor (Event) -> Void
  ) -> (any Disposable)? {
    observe(on: UIScheduler()).observe { event in MainActor.assumeIsolated { action(event) } }
  }
}

extension Signal where Value: Sendable, Failure == Never {
  /// Observes the values on the main actor; see `observe(on:_:)`.
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
  ///   - action: What is done with the events: at once on the main queue if nothing is in line, else when their turn comes.
  /// - Returns: What interrupts the run: nothing but that follows on the main actor once it was disposed of there.
  @discardableResult public func start(
    on actor: MainActor.Type, _ action: @escaping @MainActor (Event) -> Void
  ) -> any Disposable {
    observe(on: UIScheduler()).start { event in MainActor.assumeIsolated { action(event) } }
  }
}

extension SignalProducer where Value: Sendable, Failure == Never {
  /// Starts a run, on this thread, that sends its values to the main actor; see `start(on:_:)`.
  @discardableResult public func startWithValues(
    on actor: MainActor.Type, _ action: @escaping @MainActor (Value) -> Void
  ) -> any Disposable {
    observe(on: UIScheduler()).startWithValues { value in MainActor.assumeIsolated { action(value) } }
  }
}
