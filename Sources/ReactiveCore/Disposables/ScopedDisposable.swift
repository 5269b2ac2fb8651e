/// Disposes of what it holds when it is let go.
public final class ScopedDisposable<Inner: Disposable>: Disposable {
  /// The disposable that it holds.
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

extension ScopedDisposable where Inner == CompositeDisposable {
  /// Adds a member to the composite that it holds.
  @discardableResult public static func += (
    scoped: ScopedDisposable<CompositeDisposable>, disposable: (any Disposable)?
  ) -> (any Disposable)? {
    scoped.inner.add(disposable)
  }

  /// Adds an action to the composite that it holds.
  @discardableResult public static func += (
    scoped: ScopedDisposable<CompositeDisposable>, action: @escaping () -> Void
  ) -> (any Disposable)? {
    scoped.inner.add(action)
  }
}

extension ScopedDisposable where Inner == SerialDisposable {
  /// The content of the serial disposable that it holds.
  public var inner: (any Disposable)? {
    get { (inner as SerialDisposable).inner }
    set { (inner as SerialDisposable).inner = newValue }
  }
}
