package import GraphModel
import JSON

/// An adapter that serves some kinds of peers.
package final class AttachedAdapter {
  package let link: any AdapterLink
  package let kinds: Set<PeerKind>
  /// The most tasks of each connection that may be given without being acknowledged.
  let window: Int
  /// The declarations that it knows, by their names.
  var known: [String: JSONValue] = [:]
  /// The connections that it knows.
  var knownConnections: [JSONValue] = []
  /// The tasks that it has not acknowledged, by their numbers.
  var given: [UInt64: GivenTask] = [:]

  /// The terms on which an adapter attaches.
  package struct Record {
    package let kinds: Set<PeerKind>
    package let window: Int

    package init(kinds: Set<PeerKind>, window: Int) {
      self.kinds = kinds
      self.window = window
    }
  }

  package init(_ link: any AdapterLink, _ record: Record) {
    self.link = link
    kinds = record.kinds
    window = record.window
  }
}
