import JSON
import WireProtocol
import World

/// The link to an adapter through its client's session.
final class AdapterSession: AdapterLink {
  unowned let session: Session

  init(_ session: Session) { self.session = session }

  var isFull: Bool { session.sendBuffer.isFull }

  func report(_ change: DeclarationChange) {
    append(
      .declared(
        connections: change.connections, added: change.added, changed: change.changed, removed: change.removed))
  }

  func give(_ members: JSONObject) { append(.task(members)) }

  func cancel(_ number: UInt64) { append(.cancel(number)) }

  private func append(_ event: AdapterEvent) { session.sendBuffer.append { event.append(to: &$0) } }
}
