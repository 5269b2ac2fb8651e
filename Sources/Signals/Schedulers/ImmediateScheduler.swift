/// A scheduler that runs work at once, on the scheduling thread.
public final class ImmediateScheduler: Scheduler, Sendable {
  /// Creates a scheduler; all are alike.
  public init() {}

  /// Runs `action` before it returns.
  @discardableResult public func schedule(_ action: @escaping () -> Void) -> (any Disposable)? {
    action()
    return nil
  }
}
