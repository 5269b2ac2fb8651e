import ReactiveCore

/// A value that chains follow and set.
public final class ValueHolder<Value>: Chainable, Receivable {
  private let property: MutableProperty<Value>

  /// A holder of this value.
  public init(_ value: Value) { property = MutableProperty(value) }

  /// The value; setting it, even to an equal one, emits it to the chains that start here.
  public var value: Value {
    get { property.value }
    set { property.value = newValue }
  }

  /// Sets the value.
  public func receive(value: Value) { self.value = value }

  /// A chain of the changes; closed by `sync()`, it starts with the present value.
  public func chain() -> Chain<Value> {
    let (changes, present) = (SignalProducer(property.signal), property.producer)
    return Chain { $0 == .changes ? changes : present }
  }
}

extension ValueHolder: Sendable where Value: Sendable {}
