import ReactiveCore

/// The values that a closed chain starts with.
enum Opening: Sendable {
  /// Later values only.
  case changes
  /// The present value of each source that has one, then later values.
  case presentValues
}

/// The steps for the values of a source; `end()` or `sync()` closes the chain and runs it.
///
/// A chain is a description: it does nothing until it is closed, may be closed more than once, and may be part of
/// several others. Its closures run on the sending thread, one at a time.
public struct Chain<Value> {
  let producer: (Opening) -> SignalProducer<Value, Never>

  /// Returns the chain that a step makes of this one.
  private func step<U>(
    _ transform: @escaping (SignalProducer<Value, Never>) -> SignalProducer<U, Never>
  ) -> Chain<U> {
    Chain<U> { [producer] opening in transform(producer(opening)) }
  }

  /// Returns the chain that a step makes of this one and another, both opened alike.
  private func join<Other, U>(
    _ other: Chain<Other>,
    _ transform: @escaping (SignalProducer<Value, Never>, SignalProducer<Other, Never>) -> SignalProducer<U, Never>
  ) -> Chain<U> {
    Chain<U> { [producer] opening in transform(producer(opening), other.producer(opening)) }
  }
}

// MARK: Steps

extension Chain {
  /// Calls `action` with each value, which is passed on unchanged.
  public func `do`(_ action: @escaping (Value) -> Void) -> Chain<Value> { step { $0.on(value: action) } }

  /// Each value transformed.
  public func map<U>(_ transform: @escaping (Value) -> U) -> Chain<U> { step { $0.map(transform) } }

  /// The values that pass the test.
  public func `guard`(_ isWanted: @escaping (Value) -> Bool) -> Chain<Value> { step { $0.filter(isWanted) } }

  /// The values of this chain and of another of the same type.
  public func merge(_ other: Chain<Value>) -> Chain<Value> { join(other) { $0.merge(with: $1) } }

  /// The values of this chain and of another in pairs: each value fills its own side and leaves the other nil.
  public func tuple<Other>(_ other: Chain<Other>) -> Chain<(Value?, Other?)> {
    join(other) { one, two in
      .merge(one.map { (Optional($0), nil) }, two.map { (nil, Optional($0)) })
    }
  }

  /// The last value of this chain and of another together, after each value of either once both have one.
  public func combine<Other>(_ other: Chain<Other>) -> Chain<(Value, Other)> {
    join(other) { $0.combineLatest(with: $1) }
  }
}

// MARK: Closing

extension Chain {
  /// Runs the chain for the values from now on, until the result is invalidated or deallocated.
  public func end() -> AnyObserver { AnyObserver(producer(.changes).start()) }

  /// Runs the chain for the present values of its sources and those from now on, until the result is invalidated or
  /// deallocated.
  ///
  /// The present values are processed before it returns. A source without a value contributes only later ones.
  public func sync() -> AnyObserver { AnyObserver(producer(.presentValues).start()) }
}

/// A chain may be closed on any thread: it is a function of the core's producers, which may be started on any. The
/// rules for its closures are those of the core's operators.
extension Chain: @unchecked Sendable where Value: Sendable {}
