/// How a signal ends.
///
/// A signal that has ended sends nothing more.
public enum Ending<Failure: Error>: Sendable {
  /// It could not go on.
  case failed(Failure)
  /// It has nothing more to say.
  case completed
  /// Its work was cancelled.
  case interrupted

  /// True if it comes before what waits: a failure or an interruption.
  @inlinable var isUrgent: Bool {
    if case .completed = self { false } else { true }
  }

  /// The same ending with its error transformed.
  @inlinable public func mapError<F>(_ transform: (Failure) -> F) -> Ending<F> {
    switch self {
    case .failed(let error): .failed(transform(error))
    case .completed: .completed
    case .interrupted: .interrupted
    }
  }
}

extension Ending where Failure == Never {
  /// The same ending of a signal that could have failed.
  @inlinable public func promoted<F>() -> Ending<F> {
    if case .completed = self { .completed } else { .interrupted }
  }
}

extension Ending: Equatable where Failure: Equatable {}
