/// The treatment of a value that an operator holds when its source completes.
public enum OnCompletion: Sendable {
  /// Drop it.
  case discard
  /// Emit it as soon as the scheduler runs.
  case flush
  /// Emit it when it would be due without the completion.
  case wait
}
