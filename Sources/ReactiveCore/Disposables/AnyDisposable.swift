import Synchronization

/// A disposable that runs a closure once, when it is disposed of, or that stands for another.
public final class AnyDisposable: Disposable, @unchecked Sendable {
  private let hasDisposed = Atomic(false)
  private var action: (() -> Void)?
  private let base: (any Disposable)?

  /// Runs `action`, on the thread that disposes, and lets it go.
  public init(_ action: @escaping () -> Void) {
    self.action = action
    base = nil
  }

  /// Does nothing but remember that it was disposed of.
  public init() { base = nil }

  /// Stands for another.
  public init(_ disposable: any Disposable) { base = disposable }

  /// True once it was disposed of.
  public var isDisposed: Bool { base?.isDisposed ?? hasDisposed.load(ordering: .acquiring) }

  /// Runs the closure, unless that has been done, or disposes of the other.
  public func dispose() {
    if let base { base.dispose() } else { disposeFirst() }
  }

  /// Disposes; true for the one call that does.
  @discardableResult func disposeFirst() -> Bool {
    guard !hasDisposed.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    action?()
    action = nil
    return true
  }
}
