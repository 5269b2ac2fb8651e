/// A disposable that disposes of its content on deinitialisation.
public final class ScopedDisposable<Inner: Disposable>: Disposable {
  /// The content.
  public let inner: Inner

  /// Creates the holder of `disposable`.
  public init(_ disposable: Inner) { inner = disposable }

  deinit { dispose() }

  /// True once it was disposed of.
  public var isDisposed: Bool { inner.isDisposed }

  /// Disposes of the content.
  public func dispose() { inner.dispose() }
}

extension ScopedDisposable where Inner == AnyDisposable {
  /// Creates the holder of a disposable of any type.
  public convenience init(_ disposable: any Disposable) { self.init(AnyDisposable(disposable)) }
}

extension ScopedDisposable where Inner == CompositeDisposable {
  /// Adds a member to the composite inside.
  @discardableResult public static func += (
    scoped: ScopedDisposable<CompositeDisposable>, disposable: (any Disposable)?
  ) -> (any Disposable)? {
    scoped.inner.add(disposable)
  }

  /// Adds an action to the composite inside.
  @discardableResult public static func += (
    scoped: ScopedDisposable<CompositeDisposable>, action: @escaping () -> Void
  ) -> (any Disposable)? {
    scoped.inner.add(action)
  }
}

extension ScopedDisposable where Inner == SerialDisposable {
  /// The content of the serial disposable inside.
  public var inner: (any Disposable)? {
    get { (inner as SerialDisposable).inner }
    set { (inner as SerialDisposable).inner = newValue }
  }
}
