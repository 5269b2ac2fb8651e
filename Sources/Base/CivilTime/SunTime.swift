/// A time relative to an event of the sun: `sunset + 30m`.
package struct SunTime: Equatable, Sendable {
  /// The maximum offset in either direction.
  static let longestOffset = Duration.seconds(12 * 3600)

  package let event: SunEvent
  /// In microseconds; negative before the event.
  var offset: Int64 = 0
}
