/// The span during which something is alive: an object, a run of a producer.
public final class Lifetime: Sendable {
  private enum Holder {
    case composite(CompositeDisposable)
    case scope(Scope)
  }

  private let holder: Holder

  /// A lifetime that ends when `disposables` is disposed of.
  public init(_ disposables: CompositeDisposable) { holder = .composite(disposables) }

  /// A lifetime that ends with a scope, which makes its collection when it is first asked for.
  @usableFromInline init(_ scope: Scope) { holder = .scope(scope) }

  private var disposables: CompositeDisposable {
    switch holder {
    case .composite(let disposables): disposables
    case .scope(let scope): scope.resources
    }
  }

  /// A lifetime that ends when `token` is let go.
  public convenience init(_ token: Token) { self.init(token.disposables) }

  /// A lifetime and the token whose end is its end.
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

  /// Completes when it ends, or is interrupted if it is observed after that.
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

  /// Keeps a lifetime going for as long as it is held.
  public final class Token: Sendable {
    fileprivate let disposables = CompositeDisposable()

    /// A token of a new lifetime.
    public init() {}

    deinit { dispose() }

    /// Ends the lifetime.
    public func dispose() { disposables.dispose() }
  }
}
