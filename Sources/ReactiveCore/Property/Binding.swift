public import Signals

precedencegroup BindingPrecedence {
  associativity: right
  higherThan: AssignmentPrecedence
}

infix operator <~ : BindingPrecedence

/// A source that can be bound to a target: a signal, a producer or a property that cannot fail.
public protocol BindingSource<Value>: SignalProducerConvertible where Error == Never {}

extension Signal: BindingSource where Failure == Never {}

extension SignalProducer: BindingSource where Failure == Never {}

extension BindingTargetProvider {
  /// Sends the values of `source` to this target until either ends; disposing of the result unbinds them.
  ///
  /// - Parameters:
  ///   - provider: The target.
  ///   - source: A signal, a producer or a property that cannot fail.
  /// - Returns: A disposable that unbinds them.
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
  ///
  /// - Parameters:
  ///   - provider: The target.
  ///   - source: A signal, a producer or a property that cannot fail.
  /// - Returns: A disposable that unbinds them.
  @discardableResult public static func <~ <Source: BindingSource>(
    provider: Self, source: Source
  ) -> (any Disposable)? where Value == Source.Value? {
    let target = provider.bindingTarget
    let wrapping: BindingTarget<Source.Value> = BindingTarget(lifetime: target.lifetime) { target.action($0) }
    return wrapping <~ source
  }
}

extension Observer {
  /// Sends the values of `source` to the signal that this observer feeds, until either ends; not its ending.
  ///
  /// Like any observer of `source`, the binding retains this observer until it is disposed of.
  ///
  /// - Parameters:
  ///   - observer: The observer, which the binding retains until it is disposed of.
  ///   - source: A signal, a producer or a property that cannot fail.
  /// - Returns: A disposable that unbinds them.
  @discardableResult public static func <~ <Source: BindingSource>(
    observer: Observer, source: Source
  ) -> any Disposable where Source.Value == Value {
    source.producer.startWithValues { observer.send(value: $0) }
  }
}
