package import JSON

/// Something whose tasks adapters carry out: an action, or what a signal publishes.
package struct NetworkAction: Sendable {
  /// `graph.action`, or `graph.signal.published`; from the second publication of a signal on, with its number.
  package let name: String
  package let role: TaskRole
  package let kind: PeerKind
  /// The name of its connection.
  package let connection: String
  package let settings: JSONObject
  /// The signal that emits the messages, and the place among its publications.
  package let publication: (signal: String, place: Int)?

  package init(
    name: String, role: TaskRole, kind: PeerKind, connection: String, settings: JSONObject,
    publication: (signal: String, place: Int)? = nil
  ) {
    self.publication = publication
    self.name = name
    self.role = role
    self.kind = kind
    self.connection = connection
    self.settings = settings
  }
}

/// The roles of what adapters carry tasks out for.
package enum TaskRole: String, Sendable {
  /// A call of an action.
  case action
  /// A message that a signal publishes; it is given while its connection is there.
  case sink
}
