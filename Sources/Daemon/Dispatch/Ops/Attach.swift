import Base
import SignalGraph
import WireProtocol

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
      guard let kind = PeerKind(rawValue: name) else { throw Self.unknownKind(name) }
      kinds.insert(kind)
    }
    control.evict(session)
    if let kind = kinds.first(where: { bridges.adapter(for: $0) != nil }) {
      throw WireError(.busy, "another adapter serves \"\(kind.rawValue)\" already")
    }
    let record = AttachedAdapter.Record(kinds: kinds, window: request.window?.value ?? TaskWindow.initial)
    let adapter = AttachedAdapter(AdapterSession(session), record)
    hub.adapters.add(adapter, of: session)
    let declared = bridges.attach(adapter)
    exchange.reply(
      AttachReply(
        connections: declared.connections, declarations: declared.declarations,
        line: max(control.lineLimit, bridges.longestLine)))
    bridges.begin(adapter)
  }

  private static func unknownKind(_ name: String) -> WireError {
    let kinds = PeerKind.allCases.map(\.rawValue)
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
