/// A value that changes over time.
public protocol PropertyProtocol<Value>: AnyObject, BindingSource {
  /// The present value.
  var value: Value { get }

  /// The present value at each start, then its changes, until the property is gone.
  var producer: SignalProducer<Value, Never> { get }

  /// The changes, until the property is gone.
  var signal: Signal<Value, Never> { get }
}
