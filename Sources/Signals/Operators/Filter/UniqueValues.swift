/// The keys used so far, up to a bound.
@usableFromInline struct SeenKeys<Key: Hashable> {
  @usableFromInline var keys: Set<Key> = []
  private var order = Fifo<Key>()

  @usableFromInline init() {}

  /// Returns the step for a value with this key.
  @usableFromInline mutating func step<Value, Failure>(
    _ value: Value, _ key: Key, within bound: Bound<Failure>
  ) -> Step<Value, Failure> {
    guard !keys.contains(key) else { return .skip }
    if keys.count == bound.limit {
      switch bound.overflow {
      case .dropNewest:
        bound.onDrop?()
        return .skip
      case .dropOldest: if let oldest = order.popFirst() { keys.remove(oldest) }
      case .fail(let error): return .end(.failed(error))
      }
    }
    keys.insert(key)
    order.append(key)
    return .value(value)
  }
}

@inlinable func keepingUnique<Value, Key: Hashable, Failure>(
  _ key: @escaping (Value) -> Key
) -> ScanMap<Value, Set<Key>, Value, Failure> {
  ScanMap([]) { seen, value in seen.insert(key(value)).inserted ? value : nil }
}

@inlinable func keepingUnique<Value, Key: Hashable, Failure>(
  _ key: @escaping (Value) -> Key, _ bound: Bound<Failure>
) -> StepMap<Value, SeenKeys<Key>, Value, Failure> {
  StepMap(SeenKeys()) { seen, value in seen.step(value, key(value), within: bound) }
}

func keepingUnique<Value, Key: Hashable, Failure>(
  _ key: @escaping (Value) -> Key, _ idle: Duration, _ scheduler: any DateScheduler
) -> ScanMap<Value, RecentKeys<Key>, Value, Failure> {
  ScanMap(RecentKeys(idle: idle)) { seen, value in
    let (key, now) = (key(value), scheduler.currentDate)
    if seen.touch(key, at: now) { return nil }
    seen.insert(key, at: now)
    return value
  }
}

extension Signal {
  /// The values whose key has not occurred before; all keys are remembered.
  @inlinable public func uniqueValues<Key: Hashable>(_ key: @escaping (Value) -> Key) -> Signal<Value, Failure> {
    apply(keepingUnique(key))
  }

  /// The values whose key is not among those remembered.
  ///
  /// At the bound the oldest key is evicted for a new one, or the value with the new key is dropped, or it fails. Rx's
  /// `distinct`, with a bound.
  ///
  /// - Parameters:
  ///   - key: Makes the key of a value.
  ///   - limit: The number of keys that are remembered, and the treatment of one more.
  @inlinable public func uniqueValues<Key: Hashable>(
    _ key: @escaping (Value) -> Key, limit: Bound<Failure>
  ) -> Signal<Value, Failure> {
    apply(keepingUnique(key, limit))
  }

  /// The values whose key has not occurred within the last `idle`.
  ///
  /// - Parameters:
  ///   - key: Makes the key of a value.
  ///   - idle: The time for which a key is remembered after it last occurred.
  ///   - scheduler: The scheduler whose clock is read; values are emitted on the thread that delivers them.
  public func uniqueValues<Key: Hashable>(
    _ key: @escaping (Value) -> Key, idle: Duration, on scheduler: any DateScheduler
  ) -> Signal<Value, Failure> {
    apply(keepingUnique(key, idle, scheduler))
  }
}

extension Signal where Value: Hashable {
  /// The values that have not occurred before; all are remembered.
  @inlinable public func uniqueValues() -> Signal<Value, Failure> { uniqueValues { $0 } }
}

extension SignalProducer {
  /// The values whose key has not occurred before; all keys are remembered.
  @inlinable public func uniqueValues<Key: Hashable>(_ key: @escaping (Value) -> Key) -> SignalProducer<Value, Failure>
  {
    apply(keepingUnique(key))
  }

  /// The values whose key is not among those remembered.
  ///
  /// At the bound the oldest key is evicted for a new one, or the value with the new key is dropped, or it fails. Rx's
  /// `distinct`, with a bound.
  ///
  /// - Parameters:
  ///   - key: Makes the key of a value.
  ///   - limit: The number of keys that are remembered, and the treatment of one more.
  @inlinable public func uniqueValues<Key: Hashable>(
    _ key: @escaping (Value) -> Key, limit: Bound<Failure>
  ) -> SignalProducer<Value, Failure> {
    apply(keepingUnique(key, limit))
  }

  /// The values whose key has not occurred within the last `idle`.
  ///
  /// - Parameters:
  ///   - key: Makes the key of a value.
  ///   - idle: The time for which a key is remembered after it last occurred.
  ///   - scheduler: The scheduler whose clock is read; values are emitted on the thread that delivers them.
  public func uniqueValues<Key: Hashable>(
    _ key: @escaping (Value) -> Key, idle: Duration, on scheduler: any DateScheduler
  ) -> SignalProducer<Value, Failure> {
    apply(keepingUnique(key, idle, scheduler))
  }
}

extension SignalProducer where Value: Hashable {
  /// The values that have not occurred before; all are remembered.
  @inlinable public func uniqueValues() -> SignalProducer<Value, Failure> { uniqueValues { $0 } }
}
