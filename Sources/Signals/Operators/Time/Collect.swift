/// A list that grows until it is sent.
@usableFromInline struct GrowingList<Value> {
  @usableFromInline var values: [Value] = []
  @usableFromInline var hasBegun = false

  @inlinable init() {}

  /// Returns the list and empties it.
  @inlinable mutating func takeAll() -> [Value] {
    defer { values.removeAll(keepingCapacity: true) }
    return values
  }

  /// Returns the list for the completion: the rest, or an empty list if there never was a value.
  @inlinable func rest<Failure>() -> Step<[Value], Failure> { values.isEmpty && hasBegun ? .skip : .value(values) }

  /// Appends a value within a bound; returns the error if the policy is to fail.
  @inlinable mutating func append<Failure>(_ value: Value, within bound: Bound<Failure>?) -> Failure? {
    hasBegun = true
    if let bound, values.count >= bound.limit {
      switch bound.overflow {
      case .dropOldest:
        values.removeFirst()
        bound.onDrop?()
      case .dropNewest:
        bound.onDrop?()
        return nil
      case .fail(let error): return error
      }
    }
    values.append(value)
    return nil
  }
}

@inlinable func collecting<Value, Failure>(
  _ bound: Bound<Failure>?, _ shouldEmit: @escaping ([Value]) -> Bool
) -> StepMap<Value, GrowingList<Value>, [Value], Failure> {
  StepMap(GrowingList()) { list, value in
    if let error = list.append(value, within: bound) { return .end(.failed(error)) }
    return shouldEmit(list.values) ? .value(list.takeAll()) : .skip
  } finish: {
    $0.rest()
  }
}

@inlinable func collecting<Value, Failure>(
  _ shouldEmit: @escaping ([Value], Value) -> Bool
) -> StepMap<Value, GrowingList<Value>, [Value], Failure> {
  StepMap(GrowingList()) { list, value in
    list.hasBegun = true
    let complete = shouldEmit(list.values, value) ? list.takeAll() : nil
    list.values.append(value)
    return complete.map { .value($0) } ?? .skip
  } finish: {
    $0.rest()
  }
}

extension Signal {
  /// All values in one list, which may be empty, when this signal completes.
  @inlinable public func collect() -> Signal<[Value], Failure> { reduce(into: []) { $0.append($1) } }

  /// The values within a bound, in one list, when this signal completes.
  ///
  /// - Parameter limit: The number of values that may be held, and the treatment of one more.
  @inlinable public func collect(limit: Bound<Failure>) -> Signal<[Value], Failure> {
    apply(collecting(limit) { _ in false })
  }

  /// Lists of `count` values; the rest when this signal completes, or an empty list if there never was a value.
  ///
  /// - Precondition: `count` is at least 1.
  @inlinable public func collect(count: Int) -> Signal<[Value], Failure> {
    precondition(count > 0, "a list holds one value at least")
    return apply(collecting(nil) { $0.count == count })
  }

  /// Lists of values, each emitted when `shouldEmit` is true of it, the latest value included.
  ///
  /// The rest is emitted when this signal completes, or an empty list if there never was a value.
  @inlinable public func collect(
    _ shouldEmit: @escaping (_ collected: [Value]) -> Bool
  ) -> Signal<[Value], Failure> {
    apply(collecting(nil, shouldEmit))
  }

  /// Lists of values, each emitted when `shouldEmit` is true of it; the values held have a bound.
  ///
  /// - Parameters:
  ///   - shouldEmit: The test of the list, including the latest value.
  ///   - limit: The number of values that may be held, and the treatment of one more.
  @inlinable public func collect(
    _ shouldEmit: @escaping (_ collected: [Value]) -> Bool, limit: Bound<Failure>
  ) -> Signal<[Value], Failure> {
    apply(collecting(limit, shouldEmit))
  }

  /// Lists of values, each emitted when `shouldEmit` is true of it and the latest value, which begins the next.
  ///
  /// The rest is emitted when this signal completes, or an empty list if there never was a value.
  @inlinable public func collect(
    _ shouldEmit: @escaping (_ collected: [Value], _ latest: Value) -> Bool
  ) -> Signal<[Value], Failure> {
    apply(collecting(shouldEmit))
  }
}

extension SignalProducer {
  /// All values in one list, which may be empty, when this producer completes.
  @inlinable public func collect() -> SignalProducer<[Value], Failure> { reduce(into: []) { $0.append($1) } }

  /// The values within a bound, in one list, when this producer completes.
  ///
  /// - Parameter limit: The number of values that may be held, and the treatment of one more.
  @inlinable public func collect(limit: Bound<Failure>) -> SignalProducer<[Value], Failure> {
    apply(collecting(limit) { _ in false })
  }

  /// Lists of `count` values; the rest when this producer completes, or an empty list if there never was a value.
  ///
  /// - Precondition: `count` is at least 1.
  @inlinable public func collect(count: Int) -> SignalProducer<[Value], Failure> {
    precondition(count > 0, "a list holds one value at least")
    return apply(collecting(nil) { $0.count == count })
  }

  /// Lists of values, each emitted when `shouldEmit` is true of it, the latest value included.
  ///
  /// The rest is emitted when this producer completes, or an empty list if there never was a value.
  @inlinable public func collect(
    _ shouldEmit: @escaping (_ collected: [Value]) -> Bool
  ) -> SignalProducer<[Value], Failure> {
    apply(collecting(nil, shouldEmit))
  }

  /// Lists of values, each emitted when `shouldEmit` is true of it; the values held have a bound.
  ///
  /// - Parameters:
  ///   - shouldEmit: The test of the list, including the latest value.
  ///   - limit: The number of values that may be held, and the treatment of one more.
  @inlinable public func collect(
    _ shouldEmit: @escaping (_ collected: [Value]) -> Bool, limit: Bound<Failure>
  ) -> SignalProducer<[Value], Failure> {
    apply(collecting(limit, shouldEmit))
  }

  /// Lists of values, each emitted when `shouldEmit` is true of it and the latest value, which begins the next.
  ///
  /// The rest is emitted when this producer completes, or an empty list if there never was a value.
  @inlinable public func collect(
    _ shouldEmit: @escaping (_ collected: [Value], _ latest: Value) -> Bool
  ) -> SignalProducer<[Value], Failure> {
    apply(collecting(shouldEmit))
  }
}
