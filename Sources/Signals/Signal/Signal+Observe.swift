extension Signal {
  /// Observes all events; nil if the signal has ended, in which case the observer has been interrupted.
  @inlinable @discardableResult public func observe(_ observer: Observer) -> (any Disposable)? {
    let observation = Observation()
    let slot = Slot(observer, node: node, observation: observation)
    observation.begin(slot)
    node.place(slot)
    return observation.isDisposed ? nil : observation
  }

  /// Observes all events.
  ///
  /// - Parameters:
  ///   - action: Called with each event.
  ///   - isolation: The actor of the calling code, which the compiler fills in. If that is the main actor, the closure
  ///     stops the program when it is called elsewhere. This also holds for the forms for only some of the events.
  /// - Returns: A disposable that ends the observation; nil if the signal has ended.
  @inlinable @discardableResult public func observe(
    _ action: @escaping (Event) -> Void, isolation: (any Actor)? = #isolation
  ) -> (any Disposable)? {
    observe(Observer(action, isolation: isolation))
  }
}

extension Signal where Failure == Never {
  /// Observes the values.
  ///
  /// - Parameters:
  ///   - action: Called with each value.
  ///   - isolation: The actor of the calling code; see `observe(_:isolation:)`.
  /// - Returns: A disposable that ends the observation; nil if the signal has ended.
  @inlinable @discardableResult public func observeValues(
    _ action: @escaping (Value) -> Void, isolation: (any Actor)? = #isolation
  ) -> (any Disposable)? {
    observe(Observer(value: guarded(action, isolation), ending: { _ in }))
  }
}

extension Signal {
  /// Observes the values and the error.
  ///
  /// - Parameters:
  ///   - action: Called with each value, and with the error of a failure.
  ///   - isolation: The actor of the calling code; see `observe(_:isolation:)`.
  /// - Returns: A disposable that ends the observation; nil if the signal has ended.
  @discardableResult public func observeResult(
    _ action: @escaping (Result<Value, Failure>) -> Void, isolation: (any Actor)? = #isolation
  ) -> (any Disposable)? {
    let action = guarded(action, isolation)
    return observe(
      Observer(value: { action(.success($0)) }, failed: { action(.failure($0)) }, isolation: nil))
  }

  /// Observes the error.
  ///
  /// - Parameters:
  ///   - action: Called with the error of a failure.
  ///   - isolation: The actor of the calling code; see `observe(_:isolation:)`.
  /// - Returns: A disposable that ends the observation; nil if the signal has ended.
  @discardableResult public func observeFailed(
    _ action: @escaping (Failure) -> Void, isolation: (any Actor)? = #isolation
  ) -> (any Disposable)? {
    observe(Observer(failed: action, isolation: isolation))
  }

  /// Observes the completion.
  ///
  /// - Parameters:
  ///   - action: Called at the completion.
  ///   - isolation: The actor of the calling code; see `observe(_:isolation:)`.
  /// - Returns: A disposable that ends the observation; nil if the signal has ended.
  @discardableResult public func observeCompleted(
    _ action: @escaping () -> Void, isolation: (any Actor)? = #isolation
  ) -> (any Disposable)? {
    observe(Observer(completed: action, isolation: isolation))
  }

  /// Observes the interruption.
  ///
  /// - Parameters:
  ///   - action: Called at the interruption.
  ///   - isolation: The actor of the calling code; see `observe(_:isolation:)`.
  /// - Returns: A disposable that ends the observation; nil if the signal has ended.
  @discardableResult public func observeInterrupted(
    _ action: @escaping () -> Void, isolation: (any Actor)? = #isolation
  ) -> (any Disposable)? {
    observe(Observer(interrupted: action, isolation: isolation))
  }
}
