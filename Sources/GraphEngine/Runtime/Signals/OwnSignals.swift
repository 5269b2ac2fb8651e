import GraphModel
package import JSON

/// The signals of the daemon's own graph, `signalbox`, which exist under every configuration.
///
/// They are for root and the daemon's own user; graphs may be computed from them.
package final class OwnSignals {
  /// `{signal, operator, value, code, message}` for each value that an expression refused.
  package let errors: RunningSignal
  /// The result of each reload.
  package let reload: RunningSignal
  /// `{client, event, uid}` for each client that connects, disconnects or lags; published by the daemon.
  package let clients: RunningSignal

  /// `{signal, event, error, because}` for each signal that has ended by itself.
  package let ended: RunningSignal

  /// `{connection, kind, state, reason, since}` for each change of a connection's state; the daemon sends here.
  package let connections: RunningSignal

  /// Each change of a clustered graph's owner, and of the connection to the servers; the daemon sends here.
  package let cluster: RunningSignal

  private let engine: GraphEngine

  init(_ engine: GraphEngine) {
    self.engine = engine
    errors = Self.signal("errors", "Values rejected by an expression", engine)
    reload = Self.signal("reload", "The result of each reload", engine)
    clients = Self.signal("clients", "Clients that connect, disconnect or lag", engine)
    ended = Self.signal("ended", "Ended signals", engine)
    connections = Self.signal("connections", "Connections to network peers that are established or lost", engine)
    cluster = Self.signal("cluster", "Owners of clustered graphs, and the connection to the servers", engine)
  }

  private static func signal(_ name: String, _ documentation: String, _ engine: GraphEngine) -> RunningSignal {
    RunningSignal(.own("\(OwnGraph.name).\(name)", documentation), sequence: 0, engine: engine)
  }

  package var all: [RunningSignal] { [errors, reload, clients, ended, connections, cluster] }

  /// Those that states of earlier versions do not have.
  var later: [RunningSignal] { [connections, cluster] }
  /// Those with something to encode: states without the later ones stay as they are.
  var stored: [RunningSignal] { all.filter { signal in signal.sequence > 0 || !later.contains { $0 === signal } } }

  package subscript(name: String) -> RunningSignal? { all.first { $0.name == name } }

  /// Emits a value on one of them, in a turn of its own if another signal is computed from it.
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

  /// Returns true if a signal is hidden from clients.
  private func isPrivate(_ name: String) -> Bool { engine.find(name)?.declaration.traits.isPrivate ?? false }

  func publish(_ verdict: ReloadVerdict) {
    publish(verdict.value, on: reload)
  }

  /// Emits the errors of a refused configuration.
  package func publish(refused errors: JSONValue, generation: UInt64) {
    publish(["generation": .number(Double(generation)), "errors": errors], on: reload)
  }
}

extension SignalDeclaration {
  /// Returns a signal of the daemon's own graph.
  static func own(_ name: String, _ documentation: String) -> SignalDeclaration {
    var traits = SignalTraits()
    traits.documentation = documentation
    traits.access.subscribe = []
    traits.access.send = []
    let never = BuiltInSource(
      name: "never", kind: .source, isHeld: false, references: [], ranks: Ranks(entry: 0, exit: 0)
    ) {
      $0.generate([], then: nil)
    }
    return SignalDeclaration(
      name: name, body: SignalBody(source: never, pipe: [], onError: nil), traits: Shared(traits),
      written: DeclarationText(declared: .object(JSONObject()), compared: .null))
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
