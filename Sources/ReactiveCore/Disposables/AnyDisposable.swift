import Synchronization

/// A disposable that runs a closure once, when it is disposed of.
public final class AnyDisposable: Disposable, @unchecked Sendable {
  private let hasDisposed = Atomic(false)
  private var action: (() -> Void)?

  /// Runs `action`, on the thread that disposes, and lets it go.
  public init(_ action: @escaping () -> Void) { self.action = action }

  /// Does nothing but remember that it was disposed of.
  public init() {}

  /// Disposes of another.
  public convenience init(_ disposable: any Disposable) { self.init { disposable.dispose() } }

  /// True once it was disposed of.
  public var isDisposed: Bool { hasDisposed.load(ordering: .acquiring) }

  /// Runs the closure, unless that has been done.
  public func dispose() { disposeFirst() }

  /// Disposes; true for the one call that does.
  @discardableResult func disposeFirst() -> Bool {
    guard !hasDisposed.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    action?()
    action = nil
    return true
  }
}
