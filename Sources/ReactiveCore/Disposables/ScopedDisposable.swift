/// Disposes of what it holds when it is let go.
public final class ScopedDisposable<Inner: Disposable>: Disposable {
  /// What it holds.
  public let inner: Inner

  /// Holds `disposable`.
  public init(_ disposable: Inner) { inner = disposable }

  deinit { dispose() }

  public var isDisposed: Bool { inner.isDisposed }

  public func dispose() { inner.dispose() }
}

extension ScopedDisposable where Inner == AnyDisposable {
  /// Holds a disposable of whatever type.
  public convenience init(_ disposable: any Disposable) { self.init(AnyDisposable(disposable)) }
}
