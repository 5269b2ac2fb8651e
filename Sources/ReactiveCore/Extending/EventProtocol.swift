public import Signals

/// A protocol of events alone: a constraint for extensions of signals whose values are events.
public protocol EventProtocol<Value, Error> {
  /// The type of the value.
  associatedtype Value

  /// The type of the error.
  associatedtype Error: Swift.Error

  /// This event.
  var event: Event<Value, Error> { get }
}

extension Event: EventProtocol {
  /// ReactiveSwift's name of `Failure`.
  public typealias Error = Failure

  /// This event.
  public var event: Event { self }
}
