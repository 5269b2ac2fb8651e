public import Signals

/// A value that changes over time.
public protocol PropertyProtocol<Value>: AnyObject, BindingSource {
  /// The present value.
  var value: Value { get }

  /// The present value at each start, then its changes, until the property is deallocated.
  var producer: SignalProducer<Value, Never> { get }

  /// The changes, until the property is deallocated.
  var signal: Signal<Value, Never> { get }
}

/// A value that can be set.
public protocol MutablePropertyProtocol<Value>: PropertyProtocol, BindingTargetProvider {
  /// The present value.
  var value: Value { get set }

  /// Ends when the property is deallocated.
  var lifetime: Lifetime { get }
}

extension MutablePropertyProtocol {
  /// The target that sets this property's value, until it is deallocated.
  public var bindingTarget: BindingTarget<Value> {
    BindingTarget(lifetime: lifetime) { [weak self] in self?.value = $0 }
  }
}

/// A value that can be changed in place with exclusive access.
public protocol ComposableMutablePropertyProtocol<Value>: MutablePropertyProtocol {
  /// Reads the value with exclusive access.
  func withValue<Result>(_ action: (Value) throws -> Result) rethrows -> Result

  /// Changes the value in place.
  func modify<Result>(_ action: (inout Value) throws -> Result) rethrows -> Result
}

extension PropertyProtocol {
  /// The core, if it is a property of this library.
  @usableFromInline var sharedCore: PropertyCore<Value>? {
    (self as? MutableProperty<Value>)?.core ?? (self as? Property<Value>)?.core
  }
}
