package import Signals

/// Something outside that a signal follows, with the type of the events that report it.
///
/// The system answers a query that conforms to `SystemQuery` in `World`. Durable graphs log its events by its name.
package protocol WorldQuery<Start, Event>: Sendable {
  /// The starting point for following.
  associatedtype Start = Void
  associatedtype Event: StateCodable

  /// The name in the log of durable graphs, which never changes, and in `why`.
  static var name: String { get }
}
