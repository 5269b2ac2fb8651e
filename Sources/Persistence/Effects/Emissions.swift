import GraphModel

/// The events of durable signals: hashed, and enqueued as effects.
final class Emissions {
  var hash = RollingHash()
  /// `nil` during replay.
  var effects: EffectOutbox?

  /// The indices of the signals that have emitted, in order, if requested.
  var places: [Int]?

  /// Called for each event with the index of its signal, for explanations.
  var observer: ((SignalEvent, Int) -> Void)?

  func take(_ event: SignalEvent, of place: Int) {
    hash.take(event, of: UInt32(truncatingIfNeeded: place))
    places?.append(place)
    observer?(event, place)
    effects?.append(event, of: place)
  }
}
