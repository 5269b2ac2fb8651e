import Synchronization

/// A disposable that runs a closure once, when it is disposed of, or that wraps another.
public final class AnyDisposable: Disposable, @unchecked Sendable {
  private let hasDisposed = Atomic(false)
  private var action: (() -> Void)?
  private let base: (any Disposable)?

  /// Creates a disposable that runs `action` on the disposing thread, then releases it.
  public init(_ action: @escaping () -> Void) {
    self.action = action
    base = nil
  }

  /// Creates a disposable without an action, which only records its disposal.
  public init() { base = nil }

  /// Creates a wrapper of another disposable.
  public init(_ disposable: any Disposable) { base = disposable }

  /// True once it was disposed of.
  public var isDisposed: Bool { base?.isDisposed ?? hasDisposed.load(ordering: .acquiring) }

  /// Runs the closure, unless it ran, or disposes of the wrapped disposable.
  public func dispose() {
    if let base { base.dispose() } else { disposeFirst() }
  }

  /// Disposes; true for the one call that takes effect.
  @discardableResult package func disposeFirst() -> Bool {
    guard !hasDisposed.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    action?()
    action = nil
    return true
  }
}
