import ReactiveCore

/// A chain at work; it ends when it is invalidated or let go.
///
/// It keeps neither the sources of the chain nor its receivers.
public final class AnyObserver: Sendable {
  private let run: any Disposable

  init(_ run: any Disposable) { self.run = run }

  deinit { run.dispose() }

  /// Ends the chain's work.
  public func invalidate() { run.dispose() }
}
