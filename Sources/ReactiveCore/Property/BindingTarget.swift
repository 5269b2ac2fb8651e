/// Something that has a binding target.
public protocol BindingTargetProvider<Value> {
  associatedtype Value

  /// Where bound values go.
  var bindingTarget: BindingTarget<Value> { get }
}

/// Where the values of a binding go, until the lifetime ends.
public struct BindingTarget<Value>: BindingTargetProvider {
  /// Ends all bindings when it ends.
  public let lifetime: Lifetime

  /// The action that takes a value.
  public let action: (Value) -> Void

  /// A target that does `action` with each value, on `scheduler`, until `lifetime` ends.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that calls `action`.
  ///   - lifetime: Its end unbinds all sources.
  ///   - action: Called with each value.
  public init(
    on scheduler: any Scheduler = ImmediateScheduler(), lifetime: Lifetime, action: @escaping (Value) -> Void
  ) {
    self.lifetime = lifetime
    self.action = scheduler is ImmediateScheduler ? action : { value in scheduler.schedule { action(value) } }
  }

  /// A target that sets what lies at a key path of an object, on `scheduler`, without keeping the object.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that sets the value.
  ///   - lifetime: Its end unbinds all sources.
  ///   - object: The object, which is not kept.
  ///   - keyPath: The place of the value in the object.
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

  /// The wrapped target; none accepts nothing, since its lifetime has ended.
  public var bindingTarget: BindingTarget<Wrapped.Value> {
    self?.bindingTarget ?? BindingTarget(lifetime: .empty) { _ in }
  }
}
