public import Signals

/// A type with a binding target.
public protocol BindingTargetProvider<Value> {
  associatedtype Value

  /// The target of bound values.
  var bindingTarget: BindingTarget<Value> { get }
}

/// The target of bindings until its lifetime ends.
public struct BindingTarget<Value>: BindingTargetProvider {
  /// The lifetime that ends all bindings.
  public let lifetime: Lifetime

  /// The action that takes a value.
  public let action: (Value) -> Void

  /// A target that calls `action` with each value, on `scheduler`, until `lifetime` ends.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that calls `action`.
  ///   - lifetime: The lifetime that ends all bindings.
  ///   - action: Called with each value.
  public init(
    on scheduler: any Scheduler = ImmediateScheduler(), lifetime: Lifetime, action: @escaping (Value) -> Void
  ) {
    self.lifetime = lifetime
    self.action = scheduler is ImmediateScheduler ? action : { value in scheduler.schedule { action(value) } }
  }

  /// A target that sets a key path of an object, on `scheduler`, without retaining the object.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that sets the value.
  ///   - lifetime: The lifetime that ends all bindings.
  ///   - object: The object, which is not retained.
  ///   - keyPath: The key path of the value.
  public init<Object: AnyObject>(
    on scheduler: any Scheduler = ImmediateScheduler(), lifetime: Lifetime, object: Object,
    keyPath: ReferenceWritableKeyPath<Object, Value>
  ) {
    self.init(on: scheduler, lifetime: lifetime) { [weak object] in object?[keyPath: keyPath] = $0 }
  }

  /// This target.
  public var bindingTarget: BindingTarget<Value> { self }
}

extension Optional: BindingTargetProvider where Wrapped: BindingTargetProvider {
  /// The type of the values that can be bound to the target.
  public typealias Value = Wrapped.Value

  /// The wrapped target; nil accepts nothing, since its lifetime has ended.
  public var bindingTarget: BindingTarget<Wrapped.Value> {
    self?.bindingTarget ?? BindingTarget(lifetime: .empty) { _ in }
  }
}
