/// A type that converts to a producer of its events: a producer, a signal, a property.
public protocol SignalProducerConvertible<Value, Error> {
  /// The type of the values.
  associatedtype Value

  /// The type of the error.
  associatedtype Error: Swift.Error

  /// The producer of its events.
  var producer: SignalProducer<Value, Error> { get }
}

/// A protocol of producers alone: a constraint for values that are producers themselves.
public protocol SignalProducerProtocol<Value, Error> {
  /// The type of the values.
  associatedtype Value

  /// The type of the error.
  associatedtype Error: Swift.Error

  /// This producer.
  var producer: SignalProducer<Value, Error> { get }
}

extension SignalProducer: SignalProducerConvertible, SignalProducerProtocol {
  /// ReactiveSwift's name of `Failure`.
  public typealias Error = Failure

  /// This producer.
  @inlinable public var producer: SignalProducer<Value, Failure> { self }
}

extension Signal: SignalProducerConvertible {
  /// ReactiveSwift's name of `Failure`.
  public typealias Error = Failure

  /// The events of this signal from each start on.
  @inlinable public var producer: SignalProducer<Value, Failure> { SignalProducer(self) }
}

extension SignalProducer {
  /// The producer of something's events.
  @inlinable public init<Source: SignalProducerConvertible>(_ source: Source)
  where Source.Value == Value, Source.Error == Failure {
    self = source.producer
  }
}

extension Result: SignalProducerConvertible {
  /// The value, then completion; or the failure.
  public var producer: SignalProducer<Success, Failure> { SignalProducer(result: self) }
}
