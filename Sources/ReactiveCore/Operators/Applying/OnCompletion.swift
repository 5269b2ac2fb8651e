/// The fate of a value that an operator holds when its source completes.
public enum OnCompletion: Sendable {
  /// It is dropped.
  case discard
  /// It is sent as soon as the scheduler comes to it.
  case flush
  /// It is sent when it would have been without the completion.
  case wait
}
