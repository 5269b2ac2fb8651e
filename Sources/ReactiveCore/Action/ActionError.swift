/// The reason for which an execution was refused or failed.
public enum ActionError<Failure: Error>: Error {
  /// The action was disabled, by its state or because it was executing.
  case disabled

  /// The producer that it executed failed.
  case producerFailed(Failure)
}

extension ActionError: Equatable where Failure: Equatable {}
