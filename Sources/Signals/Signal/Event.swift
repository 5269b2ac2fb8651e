/// An event of a signal, which emits `value* (failed | completed | interrupted)?`.
///
/// Any number of values, then at most one ending, then nothing.
public enum Event<Value, Failure: Error> {
  /// A value.
  case value(Value)
  /// The ending by a failure.
  case failed(Failure)
  /// The regular ending.
  case completed
  /// The ending of a signal whose work was cancelled.
  case interrupted

  /// The value, if this is one.
  public var value: Value? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The error of a failure.
  public var error: Failure? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// The ending, if this is one.
  @inlinable public var ending: Ending<Failure>? {
    switch self {
    case .value: nil
    case .failed(let error): .failed(error)
    case .completed: .completed
    case .interrupted: .interrupted
    }
  }

  /// True for an ending.
  public var isTerminating: Bool { value == nil }

  /// True for `completed`.
  public var isCompleted: Bool {
    if case .completed = self { true } else { false }
  }

  /// Creates the event of an ending.
  @inlinable public init(_ ending: Ending<Failure>) {
    switch ending {
    case .failed(let error): self = .failed(error)
    case .completed: self = .completed
    case .interrupted: self = .interrupted
    }
  }

  /// Returns the event with its value transformed.
  @inlinable public func map<U>(_ transform: (Value) -> U) -> Event<U, Failure> {
    switch self {
    case .value(let value): .value(transform(value))
    case .failed(let error): .failed(error)
    case .completed: .completed
    case .interrupted: .interrupted
    }
  }

  /// Returns the event with its error transformed.
  @inlinable public func mapError<F>(_ transform: (Failure) -> F) -> Event<Value, F> {
    switch self {
    case .value(let value): .value(value)
    case .failed(let error): .failed(transform(error))
    case .completed: .completed
    case .interrupted: .interrupted
    }
  }
}

extension Event: Sendable where Value: Sendable {}

extension Event: Equatable where Value: Equatable, Failure: Equatable {}

extension Event: CustomStringConvertible {
  /// The event as a log shows it: `VALUE 1`, `FAILED x`, `COMPLETED`, `INTERRUPTED`.
  public var description: String {
    switch self {
    case .value(let value): "VALUE \(value)"
    case .failed(let error): "FAILED \(error)"
    case .completed: "COMPLETED"
    case .interrupted: "INTERRUPTED"
    }
  }
}
