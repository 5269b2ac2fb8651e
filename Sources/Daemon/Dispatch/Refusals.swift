import GraphEngine
import GraphModel
import JSON

/// The last value of each signal that an expression refused.
struct Refusals {
  private struct Note {
    let code, message, operatorName: String
    /// In microseconds since 1970.
    let time: Int64
    /// The number of values that the signal had emitted.
    let sequence: UInt64

    func figures(at now: Int64) -> JSONObject {
      [
        "code": .string(code), "message": .string(message), "operator": .string(operatorName),
        "age": .number(max(0, Double(now - time) / 1e6)),
      ]
    }
  }

  private var notes: [String: Note] = [:]

  mutating func note(_ refusal: RefusedValue, in runtime: GraphRuntime) {
    guard let signal = runtime.signal(named: refusal.signal), !refusal.isNotedElsewhere(for: signal) else { return }
    // Signals may have gone in a reload.
    if notes.count > runtime.signals.count { notes = notes.filter { runtime.signal(named: $0.key) != nil } }
    notes[signal.name] = Note(
      code: refusal.failure.code, message: String(refusal.failure.message.prefix(500)),
      operatorName: refusal.operatorName, time: runtime.clock.microseconds, sequence: signal.sequence)
  }

  /// Returns the last refusal in a signal, with the time since; `nil` if there is none.
  func last(in signal: RunningSignal, at now: Int64) -> JSONObject? { notes[signal.name].map { $0.figures(at: now) } }

  /// Returns it only as long as the signal has emitted nothing since.
  func present(in signal: RunningSignal, at now: Int64) -> JSONObject? {
    notes[signal.name].flatMap { $0.sequence == signal.sequence ? $0.figures(at: now) : nil }
  }
}

extension RefusedValue {
  /// True for failures of calls and of polls, which are over with the next success: see `CallFigures.swift`.
  fileprivate func isNotedElsewhere(for signal: RunningSignal) -> Bool {
    operatorName == "call"
      || value == nil && signal.declaration.connection != nil && operatorName == signal.declaration.body.source.name
  }
}
