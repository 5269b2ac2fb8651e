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
    var writer = JSONWriter()
    writer.bytes.reserveCapacity(128)
    switch event {
    case .next(let payload, let sequence):
      begin(&writer, "next")
      writer.write(literal: ",\"seq\":")
      writer.write(.number(Double(sequence)))
      writer.write(literal: ",\"value\":")
      writer.write(payload.value)
    case .ended(let ending):
      begin(&writer, ending.name)
      if case .failed(let failure) = ending {
        writer.write(literal: ",\"error\":")
        writer.write(failure.value)
      }
    }
    writer.write(literal: ",\"at\":\"")
    time.append(to: &writer.bytes)
    writer.write(literal: "\"}")
    return writer.bytes
  }

  private func begin(_ writer: inout JSONWriter, _ name: String) {
    writer.write(literal: "{\"event\":")
    writer.write(name)
    writer.write(literal: ",\"signal\":")
    writer.write(signal)
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
