/// A type whose values offer signals under `reactive`, apart from its own members.
///
/// Conform, and write the signals in an extension: `extension Reactive where Base: Button { var clicks: … }`.
public protocol ReactiveExtensionsProvider {}

extension ReactiveExtensionsProvider {
  /// The signals that extensions offer for this value.
  public var reactive: Reactive<Self> { Reactive(self) }

  /// The signals that extensions offer for the type.
  public static var reactive: Reactive<Self>.Type { Reactive<Self>.self }
}

/// The namespace for the signals of a type, so that their names do not clash with the type's members.
public struct Reactive<Base> {
  /// The value that offers the signals.
  public let base: Base

  fileprivate init(_ base: Base) { self.base = base }
}
