public import Signals

/// A value that can be set and observed, from any thread.
///
/// Its producers and its signal complete when it is deallocated.
@propertyWrapper
public final class MutableProperty<Value>: ComposableMutablePropertyProtocol {
  @usableFromInline let core: PropertyCore<Value>
  private let token = Lifetime.Token()

  /// The changes, until the property is deallocated.
  public let signal: Signal<Value, Never>

  /// Ends when the property is deallocated.
  public let lifetime: Lifetime

  /// A property with this value.
  public init(_ initialValue: Value) {
    core = PropertyCore(initialValue)
    signal = Signal(core.node)
    lifetime = Lifetime(token)
  }

  /// A property with this value, for `@MutableProperty var x = value`.
  public convenience init(wrappedValue: Value) { self.init(wrappedValue) }

  deinit { core.node.send(.completed) }

  /// The present value at each start, then the changes, until the property is deallocated.
  public var producer: SignalProducer<Value, Never> { core.producer() }

  /// The present value; setting it stores it at once and delivers it before the setter returns, or directly after the
  /// delivery under way.
  @inlinable public var value: Value {
    get { core.value }
    set { core.set(newValue) }
  }

  /// Changes the value in place with exclusive access, and delivers it.
  ///
  /// Other properties may be used inside, in one order: two threads that use each other's property inside trap.
  ///
  /// - Precondition: It is not used from inside this property's own `modify` or `withValue`.
  @discardableResult public func modify<Result, Failure: Swift.Error>(
    _ action: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.modify(action)
  }

  /// Sets the value and returns the previous one.
  ///
  /// - Precondition: It is not used from inside this property's own `modify` or `withValue`.
  @discardableResult public func swap(_ newValue: Value) -> Value {
    modify { value in
      defer { value = newValue }
      return value
    }
  }

  /// Reads the value with exclusive access; see `modify` about other properties inside.
  ///
  /// - Precondition: It is not used from inside this property's own `modify` or `withValue`.
  @discardableResult public func withValue<Result, Failure: Swift.Error>(
    _ action: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.withValue(action)
  }

  /// The present value, for `@MutableProperty var x`.
  @inlinable public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// This property, for `$x`.
  public var projectedValue: MutableProperty<Value> { self }
}

/// A property may be used from any thread; see `Signal` about values.
extension MutableProperty: @unchecked Sendable where Value: Sendable {}
