// A derived property does not retain its sources, and completes with them. Its value is the one last delivered to it:
// when the source is set during its own delivery, the derived value follows after that delivery.

public import Signals

extension PropertyProtocol {
  /// Returns the property that a producer's operator makes of this one; `first` is its value during a delivery of this
  /// one.
  func lift<U>(
    orElse first: @autoclosure () -> U, _ transform: (SignalProducer<Value, Never>) -> SignalProducer<U, Never>
  ) -> Property<U> {
    Property<U>(following: transform(producer), orElse: first())
  }

  /// The value transformed by a function.
  @inlinable public func map<U>(_ transform: @escaping (Value) -> U) -> Property<U> {
    if let sharedCore { return Property<U>(sharedCore.map(transform)) }
    return mapForeign(transform)
  }

  /// Returns the transformation of a property that is not of this library.
  @usableFromInline func mapForeign<U>(_ transform: @escaping (Value) -> U) -> Property<U> {
    lift(orElse: transform(value)) { $0.map(transform) }
  }

  /// A constant; it is emitted at each change of this one.
  ///
  /// Disfavoured, or else a trailing closure would count as the value: `map { "\($0)" }` is ambiguous.
  @_disfavoredOverload public func map<U>(value: U) -> Property<U> { map { _ in value } }

  /// The value at a key path.
  public func map<U>(_ keyPath: KeyPath<Value, U>) -> Property<U> { map { $0[keyPath: keyPath] } }

  /// The last value that passed the test, `initial` until one has.
  public func filter(initial: Value, _ predicate: @escaping (Value) -> Bool) -> Property<Value> {
    Property(initial: initial, then: producer.filter(predicate))
  }

  /// The value paired with the previous one; the first with `initial`.
  public func combinePrevious(_ initial: Value) -> Property<(Value, Value)> {
    lift(orElse: (initial, value)) { $0.combinePrevious(initial) }
  }

  /// The value without changes to an equivalent one.
  public func skipRepeats(_ isEquivalent: @escaping (Value, Value) -> Bool) -> Property<Value> {
    lift(orElse: value) { $0.skipRepeats(isEquivalent) }
  }

  /// The value without changes to one whose identity was there before; all identities are remembered.
  public func uniqueValues<Identity: Hashable>(_ transform: @escaping (Value) -> Identity) -> Property<Value> {
    lift(orElse: value) { $0.uniqueValues(transform) }
  }
}

extension PropertyProtocol where Value: Equatable {
  /// The value without changes to an equal one.
  public func skipRepeats() -> Property<Value> { skipRepeats { $0 == $1 } }
}

extension PropertyProtocol where Value: Hashable {
  /// The value without changes to one that was there before; all values are remembered.
  public func uniqueValues() -> Property<Value> { uniqueValues { $0 } }
}
