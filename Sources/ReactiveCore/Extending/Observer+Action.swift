public import Signals

extension Observer {
  /// The action for an event.
  public typealias Action = (Event<Value, Failure>) -> Void
}
