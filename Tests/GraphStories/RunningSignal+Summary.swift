package import GraphEngine
package import GraphModel
import JSON

extension RunningSignal {
  /// The events for a new subscriber, and the counts of losses.
  package var summary: String { "\(name) errors \(losses.errors) dropped \(losses.dropped) \(offer)" }

  /// The events for a new subscriber.
  package var offer: String {
    let retained = retained.latest(5).map { "\($0.sequence)=\(String(decoding: $0.payload.json, as: UTF8.self))" }
    return "retains \(retained) takes \(acceptsValues)"
      + " ended \(String(describing: end?.ending)) at \(end?.time ?? 0) for \(end?.cause ?? "-")"
  }
}

extension GraphRuntime {
  /// The state of the shared signals, and the due time of the next timer.
  package var standing: [String] {
    signals.filter { !$0.isCold }.map { "\($0.summary) number \($0.sequence)" }
      + ["next at \(String(describing: nextDeadline))"]
  }
}

extension SignalEvent {
  /// Returns the state of a signal in one line.
  package func line(of signal: String) -> String {
    switch self {
    case .next(let payload, let sequence): "\(signal)#\(sequence) \(String(decoding: payload.json, as: UTF8.self))"
    case .ended(.failed(let failure)): "\(signal) failed \(failure.code): \(failure.message)"
    case .ended(let ending): "\(signal) \(ending)"
    }
  }
}
