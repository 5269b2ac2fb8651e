package import JSON

/// The signals of the daemon's own graph, `signalbox`: they are there whatever the configuration says.
///
/// They are for root and the daemon's own user; graphs may be computed from them.
package final class OwnSignals {
  /// `{signal, operator, value, code, message}` for each value that an expression refused.
  package let errors: RunningSignal
  /// The verdict on each reload.
  package let reload: RunningSignal
  /// `{client, event, uid}` for each client that comes, goes or lags; the daemon sends here.
  package let clients: RunningSignal

  /// `{signal, event, error, because}` for each signal that has ended by itself.
  package let ended: RunningSignal

  /// The reserved name of the graph.
  static let graph = "signalbox"
  static let names: Set = ["signalbox.errors", "signalbox.reload", "signalbox.clients", "signalbox.ended"]

  private let engine: GraphEngine

  init(_ engine: GraphEngine) {
    self.engine = engine
    errors = Self.signal("errors", "Values that an expression refused", engine)
    reload = Self.signal("reload", "The verdict on each reload", engine)
    clients = Self.signal("clients", "Clients that come, go or lag", engine)
    ended = Self.signal("ended", "Signals that have ended by themselves", engine)
  }

  private static func signal(_ name: String, _ documentation: String, _ engine: GraphEngine) -> RunningSignal {
    RunningSignal(.own("\(graph).\(name)", documentation), sequence: 0, engine: engine)
  }

  package var all: [RunningSignal] { [errors, reload, clients, ended] }

  subscript(name: String) -> RunningSignal? { all.first { $0.name == name } }

  /// Emits a value on one of them, as a turn of its own where another signal is computed from it.
  package func publish(_ value: JSONValue, on signal: RunningSignal) {
    if signal.isMirror { return }
    guard signal.hasDependents else { return signal.deliver(.value(value)) }
    let chase = engine.turns.enqueue(to: signal.name) { signal.receive(.value(value)) }
    if chase != nil { signal.drop("more than \(engine.limits.chain) turns from one cause") }
  }

  package func publish(_ refusal: RefusedValue) {
    if isPrivate(refusal.signal) { return }
    publish(
      [
        "signal": .string(refusal.signal), "operator": .string(refusal.operatorName), "value": refusal.value ?? .null,
        "code": .string(refusal.failure.code), "message": .string(refusal.failure.message),
      ], on: errors)
  }

  func publish(endOf signal: RunningSignal) {
    guard let end = signal.end, !isPrivate(signal.name) else { return }
    var value: JSONObject = ["signal": .string(signal.name), "event": .string(end.ending.event)]
    if case .failed(let failure) = end.ending { value["error"] = failure.value }
    if let cause = end.cause, !isPrivate(cause) { value["because"] = .string(cause) }
    publish(.object(value), on: ended)
  }

  /// Whether no client is to know of a signal.
  private func isPrivate(_ name: String) -> Bool { engine.find(name)?.declaration.traits.isPrivate ?? false }

  func publish(_ verdict: ReloadVerdict) {
    publish(verdict.value, on: reload)
  }

  /// Emits the errors of a configuration that was refused.
  package func publish(refused diagnostics: Diagnostics, generation: UInt64) {
    publish(
      ["generation": .number(Double(generation)), "errors": DiagnosticRenderer.json(diagnostics)], on: reload)
  }
}

extension ReloadVerdict {
  fileprivate var value: JSONValue {
    func list(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
    return [
      "generation": .number(Double(generation)), "kept": list(kept), "changed": list(changed), "added": list(added),
      "removed": list(removed), "needs_restart": list(needsRestart),
    ]
  }
}
