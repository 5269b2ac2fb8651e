/// Disposables that are disposed of together.
public final class CompositeDisposable: Disposable, @unchecked Sendable {
  private let lock = FutexLock()
  /// Nil once it was disposed of.
  private var members: Members? = Members()

  /// A composite without members.
  public init() {}

  /// A composite with these members.
  public convenience init<Members: Sequence>(_ disposables: Members) where Members.Element == any Disposable {
    self.init(disposables.map(Optional.some))
  }

  /// A composite with those of these members that are not nil.
  public init<Members: Sequence>(_ disposables: Members) where Members.Element == (any Disposable)? {
    for disposable in disposables { add(disposable) }
  }

  /// True once it was disposed of.
  public var isDisposed: Bool { lock.withLock { members == nil } }

  /// Disposes of all members, in the order in which they were added.
  public func dispose() {
    let disposed = lock.withLock { members.take() }
    disposed?.forEach { $0.dispose() }
  }

  /// Adds a member, or disposes of it at once if the composite was disposed of; the result removes it without disposing
  /// of it.
  @discardableResult public func add(_ disposable: (any Disposable)?) -> (any Disposable)? {
    guard let disposable, !disposable.isDisposed else { return nil }
    guard let key = lock.withLock({ members?.append(disposable) }) else {
      disposable.dispose()
      return nil
    }
    return AnyDisposable { [weak self] in self?.remove(key) }
  }

  /// Adds an action, or runs it at once if the composite was disposed of; the result removes it without running it.
  @discardableResult public func add(_ action: @escaping () -> Void) -> (any Disposable)? {
    add(AnyDisposable(action))
  }

  /// Adds a member that is never removed.
  @usableFromInline package func hold(_ disposable: any Disposable) {
    if lock.withLock({ members?.append(disposable) }) == nil { disposable.dispose() }
  }

  /// Removes a member without disposing of it.
  func drop(_ disposable: any Disposable) {
    let dropped = lock.withLock { members?.remove(disposable) }
    withExtendedLifetime(dropped) {}
  }

  private func remove(_ key: UInt) {
    let removed = lock.withLock { members?.remove(key) }
    // Released outside the lock: its deinitialiser may run any code.
    withExtendedLifetime(removed) {}
  }

  /// Adds a member.
  @discardableResult public static func += (composite: CompositeDisposable, disposable: (any Disposable)?) -> (
    any Disposable
  )? {
    composite.add(disposable)
  }

  /// Adds an action.
  @discardableResult public static func += (composite: CompositeDisposable, action: @escaping () -> Void) -> (
    any Disposable
  )? {
    composite.add(action)
  }
}
