import JSON
package import SignalGraph

extension RunningSignal {
  /// What it would tell who asks.
  package var summary: String {
    let retained = retained.latest(5).map { "\($0.sequence)=\(String(decoding: $0.payload.json, as: UTF8.self))" }
    let losses = "errors \(losses.errors) dropped \(losses.dropped)"
    return "\(name) \(losses) retains \(retained) takes \(acceptsValues)"
      + " ended \(String(describing: end?.ending)) at \(end?.time ?? 0) for \(end?.cause ?? "-")"
  }
}

extension GraphRuntime {
  /// How the signals stand that are there once for all who listen, and when the next timer is due.
  package var standing: [String] {
    signals.filter { !$0.isCold }.map { "\($0.summary) number \($0.sequence)" }
      + ["next at \(String(describing: nextDeadline))"]
  }
}

extension SignalEvent {
  /// What a signal says, in one line.
  package func line(of signal: String) -> String {
    switch self {
    case .next(let payload, let sequence): "\(signal)#\(sequence) \(String(decoding: payload.json, as: UTF8.self))"
    case .ended(.failed(let failure)): "\(signal) failed \(failure.code): \(failure.message)"
    case .ended(let ending): "\(signal) \(ending)"
    }
  }
}
