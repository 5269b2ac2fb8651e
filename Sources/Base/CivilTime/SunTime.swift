/// An event of the sun and the time between it and the moment that is meant: `sunset + 30m`.
package struct SunTime: Equatable, Sendable {
  /// The maximum distance from an event; the next one is hardly farther away.
  static let longestOffset = Duration.seconds(12 * 3600)

  package let event: SunEvent
  /// In microseconds; negative before the event.
  var offset: Int64 = 0
}
