import Base
import GraphModel
import JSON
import WireProtocol
import World

extension AttachRequest: DaemonRequest {
  var effect: String? { "attachment of an adapter" }

  func carryOut(by dispatcher: Dispatcher, _ exchange: Exchange) throws(WireError) -> LineSplitter.Flow {
    try dispatcher.attach(self, exchange)
    return .next
  }
}

extension Dispatcher {
  /// Makes an adapter of a client.
  func attach(_ request: AttachRequest, _ exchange: Exchange) throws(WireError) {
    let (client, session) = (exchange.client, exchange.session)
    guard client.isPrivileged || adapterUsers.include(client.credentials) else {
      throw WireError(.denied, "only users that server.access.adapters names may attach adapters")
    }
    if hub.adapters[session] != nil { throw WireError(.badRequest, "this client has attached already") }
    var kinds: Set<PeerKind> = []
    for name in request.kinds.names {
      let kind = PeerKind(rawValue: name)
      guard network.kinds.contains(kind) else { throw unknownKind(name) }
      kinds.insert(kind)
    }
    if request.isCheck == true { return reply(network.declared(of: kinds), exchange) }
    let child = control.child()
    let taken = kinds.filter { kind in
      network.adapter(for: kind).map { ($0.link as? AdapterSession)?.session !== child } ?? false
    }
    if session === child {
      kinds.subtract(taken)
    } else if let kind = taken.first {
      throw WireError(.busy, "another adapter serves \"\(kind.rawValue)\" already")
    }
    if session !== child, network.hasBundledKind(where: kinds.contains) { control.evict() }
    let record = AttachedAdapter.Record(kinds: kinds, window: request.window?.value ?? TaskWindow.initial)
    let adapter = AttachedAdapter(AdapterSession(session), record)
    hub.adapters.add(adapter, of: session)
    session.noteAdapter()
    reply(network.attach(adapter), exchange)
    network.begin(adapter)
  }

  private func reply(_ declared: (connections: [JSONValue], declarations: [JSONValue]), _ exchange: Exchange) {
    exchange.reply(
      AttachReply(
        connections: declared.connections, declarations: declared.declarations,
        line: max(control.lineLimit, network.longestLine)))
  }

  private func unknownKind(_ name: String) -> WireError {
    let kinds = network.kinds.map(\.rawValue)
    let hint = Suggestion.likely(for: name, among: kinds).map { "did you mean \"\($0)\"?" }
    return WireError(
      .badRequest, "there are no peers of kind \(name.quoted); \(hint ?? "there are \(kinds.joined(separator: ", "))")")
  }

  /// Returns the adapter that a client is.
  func adapter(of session: Session, asking op: String) throws(WireError) -> AttachedAdapter {
    guard let adapter = hub.adapters[session] else {
      throw WireError(.badRequest, "\"\(op)\" is for adapters: attach first")
    }
    return adapter
  }
}
