import GraphModel
import JSON

/// The position of an event of a signal within its entry.
package struct RecordReference: Sendable {
  private let entry: Int
  private let index: Int

  init?(of number: Int, in recorder: ProvenanceRecorder) {
    guard let entry = recorder.entry(of: number), let place = recorder[number]?.place else { return nil }
    self.entry = entry
    index = recorder.events(of: place).filter { $0 < number && recorder.entry(of: $0) == entry }.count
  }

  /// Returns the corresponding event in another replay.
  func event(in recorder: ProvenanceRecorder, of signal: String) -> SignalEvent? {
    recorder.emitted(by: signal).filter { recorder.entry(of: $0) == entry }.dropFirst(index).first.flatMap {
      recorder[$0]?.event
    }
  }
}

extension SignalEvent {
  /// Compares events without their sequence numbers.
  func isSame(as other: SignalEvent?) -> Bool {
    switch (self, other) {
    case (.next(let payload, _), .next(let expected, _)): payload.value == expected.value
    case (.ended(let ending), .ended(let expected)): ending == expected
    default: false
    }
  }
}
