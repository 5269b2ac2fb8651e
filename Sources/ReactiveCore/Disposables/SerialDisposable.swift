/// A disposable with one changeable content, which is disposed of when it is replaced.
public final class SerialDisposable: Disposable, @unchecked Sendable {
  private let lock = FutexLock()
  private var content: (any Disposable)?
  private var hasDisposed = false

  /// A serial disposable with this content.
  public init(_ disposable: (any Disposable)? = nil) { content = disposable }

  /// The content; setting it disposes of the one before, or of the new one if this was disposed of.
  public var inner: (any Disposable)? {
    get { lock.withLock { content } }
    set {
      let disposed: (any Disposable)? = lock.withLock {
        guard !hasDisposed else { return newValue }
        defer { content = newValue }
        return content
      }
      disposed?.dispose()
    }
  }

  /// True once it was disposed of.
  public var isDisposed: Bool { lock.withLock { hasDisposed } }

  /// Disposes of what it holds, and of whatever it is given later.
  public func dispose() {
    let disposed: (any Disposable)? = lock.withLock {
      hasDisposed = true
      defer { content = nil }
      return content
    }
    disposed?.dispose()
  }
}
