/// Carries work out at once, on the thread that schedules it.
public final class ImmediateScheduler: Scheduler, Sendable {
  /// A scheduler; all are alike.
  public init() {}

  /// Carries `action` out before it returns.
  @discardableResult public func schedule(_ action: @escaping () -> Void) -> (any Disposable)? {
    action()
    return nil
  }
}
