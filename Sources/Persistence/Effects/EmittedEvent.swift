import GraphEngine
import GraphModel
import Signals

/// An event of a durable signal that clients may see, as recorded for those that follow a state log elsewhere.
///
/// It is what the daemon publishes once the commit is durable: all else of a turn can be computed only where the graphs
/// run.
struct EmittedEvent: StateCodable {
  let event: SignalEvent
  /// The index of the signal in the configuration.
  let place: UInt32
  /// The time, in microseconds since 1970.
  let time: Int64

  /// - Returns: `nil` for an effect that is no event of a visible signal.
  init?(_ effect: Effect, _ places: [ObjectIdentifier: Int]) {
    switch effect {
    case .next(let payload, let sequence, _, _, let time, _):
      (event, self.time) = (.next(payload, sequence: sequence), time)
    case .ended(let ending, _, let time, _): (event, self.time) = (.ended(ending), time)
    default: return nil
    }
    guard let mirror = effect.mirror, !mirror.isPrivate, let place = places[ObjectIdentifier(mirror)] else {
      return nil
    }
    self.place = UInt32(place)
  }

  func encode(to writer: inout StateEncoder) {
    writer.signed(time)
    Entry.crossing(event, of: place).encode(to: &writer)
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    time = try reader.signed()
    guard case .crossing(let event, let place) = try Entry(from: &reader) else { throw StateError("no emitted event") }
    (self.event, self.place) = (event, place)
  }
}
