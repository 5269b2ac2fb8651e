precedencegroup BindingPrecedence {
  associativity: right
  higherThan: AssignmentPrecedence
}

infix operator <~ : BindingPrecedence

/// What can be bound to a target: a signal, a producer or a property that cannot fail.
public protocol BindingSource<Value>: SignalProducerConvertible where Error == Never {}

extension Signal: BindingSource where Failure == Never {}

extension SignalProducer: BindingSource where Failure == Never {}

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

  /// What is done with a value.
  public let action: (Value) -> Void

  /// A target that does `action` with each value until `lifetime` ends.
  public init(lifetime: Lifetime, action: @escaping (Value) -> Void) {
    self.lifetime = lifetime
    self.action = action
  }

  /// This target.
  public var bindingTarget: BindingTarget<Value> { self }
}

extension BindingTargetProvider {
  /// Sends the values of `source` to this target until either ends; disposing of the result unbinds them.
  @discardableResult public static func <~ <Source: BindingSource>(
    provider: Self, source: Source
  ) -> (any Disposable)? where Source.Value == Value {
    let target = provider.bindingTarget
    let run = Run()
    let membership = SerialDisposable()
    let observer = Observer<Value, Never>(value: target.action, ending: { _ in membership.inner?.dispose() })
    source.producer.start(observer, as: run) { membership.inner = target.lifetime += $0 }
    return run
  }

  /// Sends the values of `source` to this target, which is optional.
  @discardableResult public static func <~ <Source: BindingSource>(
    provider: Self, source: Source
  ) -> (any Disposable)? where Value == Source.Value? {
    let target = provider.bindingTarget
    let wrapping: BindingTarget<Source.Value> = BindingTarget(lifetime: target.lifetime) { target.action($0) }
    return wrapping <~ source
  }
}
