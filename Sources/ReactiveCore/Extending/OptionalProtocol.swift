/// A protocol of optionals alone: a constraint for extensions of signals whose values are optional.
public protocol OptionalProtocol<Wrapped>: ExpressibleByNilLiteral {
  /// The type of the value, if there is one.
  associatedtype Wrapped

  /// This value as an optional.
  var optional: Wrapped? { get }

  /// Creates a value from an optional.
  init(reconstructing value: Wrapped?)
}

extension Optional: OptionalProtocol {
  /// This optional.
  public var optional: Wrapped? { self }

  /// Creates a copy of an optional.
  public init(reconstructing value: Wrapped?) { self = value }
}
