/// A disposable with one replaceable content; replacing it disposes of the previous one.
public final class SerialDisposable: Disposable, @unchecked Sendable {
  private let lock = FutexLock()
  private var content: (any Disposable)?
  private var hasDisposed = false

  /// A serial disposable with this content.
  public init(_ disposable: (any Disposable)? = nil) { content = disposable }

  /// The content; setting it disposes of the previous one, or of the new one if this was disposed of.
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

  /// Disposes of the content, and of any content set later.
  public func dispose() {
    let disposed: (any Disposable)? = lock.withLock {
      hasDisposed = true
      defer { content = nil }
      return content
    }
    disposed?.dispose()
  }
}
