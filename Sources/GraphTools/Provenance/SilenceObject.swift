package import GraphModel
package import JSON
package import Signals

/// A silence as JSON.
package struct SilenceObject {
  private let origin: (Int) -> EntryOrigin?
  private let time: (Instant, Silence.Turn) -> RecordedTime

  package init(
    origin: @escaping (Int) -> EntryOrigin?, time: @escaping (Instant, Silence.Turn) -> RecordedTime
  ) {
    (self.origin, self.time) = (origin, time)
  }

  package func object(of silence: Silence, of signal: String) -> JSONObject {
    JSONObject([("signal", .string(signal)), ("turns", .array(silence.turns.map(object)))])
  }

  private func object(of turn: Silence.Turn) -> JSONValue {
    var members = origin(turn.entry)?.members ?? []
    members.append(("at", .string("\(time(turn.instant, turn))")))
    members.append(("stops", .array(turn.stops.map { object(of: $0, turn) })))
    if turn.others > 0 { members.append(("others", .number(Double(turn.others)))) }
    switch turn.emitted {
    case .next(let payload, _)?: members.append(("told", payload.value))
    case .ended(let ending)?:
      members.append(("event", .string(ending.event)))
      if case .failed(let failure) = ending { members.append(("error", failure.value)) }
    case nil: break
    }
    return .object(JSONObject(members))
  }

  private func object(of stop: Silence.Stop, _ turn: Silence.Turn) -> JSONValue {
    var members: [(String, JSONValue)] = [("signal", .string(stop.signal)), ("step", .string(stop.step))]
    if let place = stop.place { members.append(("place", .string("\(place)"))) }
    members.append(("given", stop.value))
    if !stop.remembered.isEmpty { members.append(("remembered", .array(stop.remembered))) }
    switch stop.outcome {
    case .nothing: break
    case .waits(let due): members.append(("until", .string("\(time(due, turn))")))
    case .refused(let failure): members.append(("error", failure.value))
    }
    return .object(JSONObject(members))
  }
}
