public import Signals

/// A protocol of signals alone: a constraint for values that are signals themselves.
public protocol SignalProtocol<Value, Error>: AnyObject {
  /// The type of the values.
  associatedtype Value

  /// The type of the error.
  associatedtype Error: Swift.Error

  /// This signal.
  var signal: Signal<Value, Error> { get }
}

extension Signal: SignalProtocol {
  /// This signal.
  public var signal: Signal<Value, Failure> { self }
}
