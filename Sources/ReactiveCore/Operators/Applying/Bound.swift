/// How many values an operator may hold, and what becomes of one more.
public struct Bound<Failure: Error> {
  /// The way of dealing with a value more than the limit.
  public enum Overflow: Sendable {
    /// The oldest value held is dropped for it.
    case dropOldest
    /// It is dropped itself.
    case dropNewest
    /// The signal fails.
    case fail(Failure)
  }

  /// The greatest number of values held.
  public let limit: Int

  /// The way of dealing with one value more.
  public let overflow: Overflow

  /// Told of each value that an operator drops, while it holds its domain.
  @usableFromInline let onDrop: (() -> Void)?

  /// A bound of `limit` values, at least one.
  ///
  /// - Precondition: `limit` is 1 at least.
  public init(limit: Int, overflow: Overflow) { self.init(limit: limit, overflow: overflow, onDrop: nil) }

  /// The same for a layer that counts what its operators drop.
  package init(limit: Int, overflow: Overflow, onDrop: (() -> Void)?) {
    precondition(limit > 0, "a bound must leave room for a value")
    self.limit = limit
    self.overflow = overflow
    self.onDrop = onDrop
  }
}

/// See `Signal` about closures.
extension Bound: @unchecked Sendable {}

extension Fifo {
  /// Adds an element within a bound, if there is one; gives back the error if that asks for a failure.
  @inlinable mutating func append<Failure>(_ element: Element, within bound: Bound<Failure>?) -> Failure? {
    if let bound, count >= bound.limit {
      switch bound.overflow {
      case .dropOldest:
        _ = popFirst()
        bound.onDrop?()
      case .dropNewest:
        bound.onDrop?()
        return nil
      case .fail(let error): return error
      }
    }
    append(element)
    return nil
  }
}
