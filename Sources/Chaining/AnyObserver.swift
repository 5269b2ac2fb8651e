import ReactiveCore

/// A running chain; it ends when it is invalidated or deallocated.
///
/// It retains neither the sources of the chain nor its receivers.
public final class AnyObserver: Sendable {
  private let run: any Disposable

  init(_ run: any Disposable) { self.run = run }

  deinit { run.dispose() }

  /// Ends the chain.
  public func invalidate() { run.dispose() }
}
