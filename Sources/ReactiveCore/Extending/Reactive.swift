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

/// Where extensions put the signals of a type, so that their names do not meet those of the type.
public struct Reactive<Base> {
  /// The value whose signals these are.
  public let base: Base

  fileprivate init(_ base: Base) { self.base = base }
}
