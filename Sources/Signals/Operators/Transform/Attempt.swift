@inlinable @inline(__always) func attempting<Value, U, Failure>(
  _ transform: @escaping (Value) -> Result<U, Failure>
) -> StepMap<Value, Void, U, Failure> {
  StepMap(()) { _, value in
    switch transform(value) {
    case .success(let output): .value(output)
    case .failure(let error): .end(.failed(error))
    }
  }
}

extension Signal {
  /// Each value transformed; fails with the first error.
  @inlinable public func attemptMap<U>(
    _ transform: @escaping (Value) -> Result<U, Failure>
  ) -> Signal<U, Failure> {
    apply(attempting(transform))
  }

  /// All values, each checked before it is emitted; fails with the first error.
  @inlinable public func attempt(_ action: @escaping (Value) -> Result<(), Failure>) -> Signal<Value, Failure> {
    attemptMap { value in action(value).map { value } }
  }
}

extension Signal where Failure == any Swift.Error {
  /// Each value transformed; fails with the first error that is thrown.
  @inlinable public func attemptMap<U>(_ transform: @escaping (Value) throws -> U) -> Signal<U, Failure> {
    attemptMap { value in Result { try transform(value) } }
  }

  /// All values, each checked before it is emitted; fails with the first error that is thrown.
  @inlinable public func attempt(_ action: @escaping (Value) throws -> Void) -> Signal<Value, Failure> {
    attemptMap { value in
      try action(value)
      return value
    }
  }
}

extension Signal where Failure == Never {
  /// Each value transformed; fails with the first error that is thrown.
  @inlinable public func attemptMap<U>(_ transform: @escaping (Value) throws -> U) -> Signal<U, any Swift.Error> {
    promoteError((any Swift.Error).self).attemptMap(transform)
  }

  /// All values, each checked before it is emitted; fails with the first error that is thrown.
  @inlinable public func attempt(_ action: @escaping (Value) throws -> Void) -> Signal<Value, any Swift.Error> {
    promoteError((any Swift.Error).self).attempt(action)
  }
}

extension SignalProducer {
  /// Each value transformed; fails with the first error.
  @inlinable public func attemptMap<U>(
    _ transform: @escaping (Value) -> Result<U, Failure>
  ) -> SignalProducer<U, Failure> {
    apply(attempting(transform))
  }

  /// All values, each checked before it is emitted; fails with the first error.
  @inlinable public func attempt(_ action: @escaping (Value) -> Result<(), Failure>) -> SignalProducer<Value, Failure> {
    attemptMap { value in action(value).map { value } }
  }
}

extension SignalProducer where Failure == any Swift.Error {
  /// Each value transformed; fails with the first error that is thrown.
  @inlinable public func attemptMap<U>(_ transform: @escaping (Value) throws -> U) -> SignalProducer<U, Failure> {
    attemptMap { value in Result { try transform(value) } }
  }

  /// All values, each checked before it is emitted; fails with the first error that is thrown.
  @inlinable public func attempt(_ action: @escaping (Value) throws -> Void) -> SignalProducer<Value, Failure> {
    attemptMap { value in
      try action(value)
      return value
    }
  }
}

extension SignalProducer where Failure == Never {
  /// Each value transformed; fails with the first error that is thrown.
  @inlinable public func attemptMap<U>(_ transform: @escaping (Value) throws -> U) -> SignalProducer<U, any Swift.Error>
  {
    promoteError((any Swift.Error).self).attemptMap(transform)
  }

  /// All values, each checked before it is emitted; fails with the first error that is thrown.
  @inlinable public func attempt(_ action: @escaping (Value) throws -> Void) -> SignalProducer<Value, any Swift.Error> {
    promoteError((any Swift.Error).self).attempt(action)
  }
}
