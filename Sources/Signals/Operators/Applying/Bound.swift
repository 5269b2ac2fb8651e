/// The number of values that an operator may hold, and the treatment of one more.
public struct Bound<Failure: Error> {
  /// The overflow policy.
  public enum Overflow: Sendable {
    /// Drop the oldest value held.
    case dropOldest
    /// Drop the new value.
    case dropNewest
    /// Fail the signal.
    case fail(Failure)
  }

  /// The maximum number of values held.
  public let limit: Int

  /// The treatment of one more value.
  public let overflow: Overflow

  /// Called for each value that an operator drops, while it holds its domain.
  @usableFromInline let onDrop: (() -> Void)?

  /// A bound of `limit` values, at least one.
  ///
  /// - Precondition: `limit` is at least 1.
  public init(limit: Int, overflow: Overflow) { self.init(limit: limit, overflow: overflow, onDrop: nil) }

  /// A bound for a layer that counts the values its operators drop.
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
  /// Appends an element within a bound, if any; returns the error if the policy is to fail.
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
