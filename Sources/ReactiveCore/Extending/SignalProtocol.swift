/// What only a signal is: a constraint for values that are signals themselves.
public protocol SignalProtocol<Value, Error>: AnyObject {
  /// What is sent.
  associatedtype Value

  /// How it may fail.
  associatedtype Error: Swift.Error

  /// This signal.
  var signal: Signal<Value, Error> { get }
}

extension Signal: SignalProtocol {
  /// This signal.
  public var signal: Signal<Value, Failure> { self }
}
