/// Disposes of what it holds when it is let go.
public final class ScopedDisposable<Inner: Disposable>: Disposable {
  /// What it holds.
  public let inner: Inner

  /// Holds `disposable`.
  public init(_ disposable: Inner) { inner = disposable }

  deinit { dispose() }

  /// True once it was disposed of.
  public var isDisposed: Bool { inner.isDisposed }

  /// Disposes of what it holds.
  public func dispose() { inner.dispose() }
}

extension ScopedDisposable where Inner == AnyDisposable {
  /// Holds a disposable of whatever type.
  public convenience init(_ disposable: any Disposable) { self.init(AnyDisposable(disposable)) }
}
