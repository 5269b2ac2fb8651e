import SignalGraph

/// The events of durable signals: they are taken into the rolling hash, and put into the line of all that is told.
final class Emissions {
  var hash = RollingHash()
  /// `nil` while it is only worked out again.
  var tellings: Tellings?

  /// The places of those that have emitted something, in their order, while somebody wants to know.
  var places: [Int]?

  /// Told of each event and the place of its signal, for somebody who looks back.
  var observer: ((SignalEvent, Int) -> Void)?

  func take(_ event: SignalEvent, of place: Int) {
    hash.take(event, of: UInt32(truncatingIfNeeded: place))
    places?.append(place)
    observer?(event, place)
    tellings?.append(event, of: place)
  }
}
