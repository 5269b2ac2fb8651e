/// The lifespan of an object or of a run of a producer.
public final class Lifetime: Sendable {
  private enum Holder {
    case composite(CompositeDisposable)
    case scope(Scope)
  }

  private let holder: Holder

  /// A lifetime that ends when `disposables` is disposed of.
  public init(_ disposables: CompositeDisposable) { holder = .composite(disposables) }

  /// A lifetime that ends with a scope, whose collection is created on first use.
  @usableFromInline init(_ scope: Scope) { holder = .scope(scope) }

  private var disposables: CompositeDisposable {
    switch holder {
    case .composite(let disposables): disposables
    case .scope(let scope): scope.resources
    }
  }

  /// A lifetime that ends when `token` is deallocated.
  public convenience init(_ token: Token) { self.init(token.disposables) }

  /// Creates a lifetime and the token that ends it.
  public static func make() -> (lifetime: Lifetime, token: Token) {
    let token = Token()
    return (Lifetime(token), token)
  }

  /// A lifetime that has ended.
  public static let empty: Lifetime = {
    let disposables = CompositeDisposable()
    disposables.dispose()
    return Lifetime(disposables)
  }()

  /// True once it has ended.
  public var hasEnded: Bool { disposables.isDisposed }

  /// Completes at the end; interrupted if observed after that.
  public var ended: Signal<Never, Never> {
    Signal { observer, lifetime in lifetime += disposables.add { observer.sendCompleted() } }
  }

  /// Runs `action` when it ends, or at once if it has ended.
  @discardableResult public func observeEnded(_ action: @escaping () -> Void) -> (any Disposable)? {
    disposables.add(action)
  }

  /// Disposes of `disposable` when it ends, or at once if it has ended.
  @discardableResult public static func += (lifetime: Lifetime, disposable: (any Disposable)?) -> (any Disposable)? {
    lifetime.disposables.add(disposable)
  }

  /// The owner of a lifetime, which ends when the token is deallocated.
  public final class Token: Sendable {
    fileprivate let disposables = CompositeDisposable()

    /// A token of a new lifetime.
    public init() {}

    deinit { dispose() }

    /// Ends the lifetime.
    public func dispose() { disposables.dispose() }
  }
}
