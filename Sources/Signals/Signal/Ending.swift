/// The last event of a signal.
///
/// A signal that has ended emits nothing more.
public enum Ending<Failure: Error>: Sendable {
  /// A failure.
  case failed(Failure)
  /// A regular end.
  case completed
  /// A cancellation of the work.
  case interrupted

  /// True if it precedes waiting values: a failure or an interruption.
  @inlinable var isUrgent: Bool {
    if case .completed = self { false } else { true }
  }

  /// Returns the ending with its error transformed.
  @inlinable public func mapError<F>(_ transform: (Failure) -> F) -> Ending<F> {
    switch self {
    case .failed(let error): .failed(transform(error))
    case .completed: .completed
    case .interrupted: .interrupted
    }
  }
}

extension Ending where Failure == Never {
  /// Returns the ending of a signal that could have failed.
  @inlinable public func promoted<F>() -> Ending<F> {
    if case .completed = self { .completed } else { .interrupted }
  }
}

extension Ending: Equatable where Failure: Equatable {}
