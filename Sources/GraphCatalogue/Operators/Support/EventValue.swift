import GraphModel
import JSON
import Signals

// Events in the form of the wire protocol, without signal and sequence number.

extension JSONValue {
  static func next(_ payload: Payload) -> JSONValue { ["event": "next", "value": payload.value] }

  init(_ ending: Ending<SignalFailure>) {
    switch ending {
    case .completed: self = ["event": "completed"]
    case .failed(let failure): self = ["event": "failed", "error": failure.value]
    case .interrupted: self = ["event": "interrupted"]
    }
  }

  /// The event in this form; `nil` for any other value.
  var event: Stream.Event? {
    guard case .object(let object) = plain, case .string(let name)? = object["event"]?.plain else { return nil }
    switch name {
    case "next": return object["value"].map { .value(.value($0)) }
    case "completed": return .completed
    case "interrupted": return .interrupted
    case "failed": return object["error"].flatMap(SignalFailure.init).map { .failed($0) }
    default: return nil
    }
  }
}
