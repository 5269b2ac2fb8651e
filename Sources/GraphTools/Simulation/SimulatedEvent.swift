package import GraphModel
import JSON

/// An event of a signal in a simulation.
package struct SimulatedEvent: Sendable {
  package let time: RecordedTime
  package let signal: String
  package let event: SignalEvent

  package init(time: RecordedTime, signal: String, event: SignalEvent) {
    self.time = time
    self.signal = signal
    self.event = event
  }

  /// The line that a subscriber with timestamps receives, so that it can be replayed.
  package var line: [UInt8] {
    var object = JSONObject()
    switch event {
    case .next(let payload, let sequence):
      object["event"] = "next"
      object["signal"] = .string(signal)
      object["seq"] = .number(Double(sequence))
      object["value"] = payload.value
    case .ended(let ending):
      object["event"] = .string(ending.name)
      object["signal"] = .string(signal)
      if case .failed(let failure) = ending { object["error"] = failure.value }
    }
    object["at"] = .string("\(time)")
    return JSONValue.object(object).json
  }
}

extension SignalEnding {
  fileprivate var name: String {
    switch self {
    case .completed: "completed"
    case .failed: "failed"
    case .interrupted: "interrupted"
    }
  }
}
