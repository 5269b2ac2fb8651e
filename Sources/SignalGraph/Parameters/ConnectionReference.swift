import Base

/// A connection of `server.connections` that a signal or an action names.
struct ConnectionReference: Sendable {
  let name: String
  /// The beginning of the paths of its requests.
  let base: String

  /// Reads the name of a connection of one kind; `nil` after reporting the error in it.
  static func read(_ node: ConfigNode, _ kind: PeerKind, _ reading: ParameterReading) -> ConnectionReference? {
    let reader = reading.reader(node)
    guard let name = reader.text() else { return nil }
    if reader.isOpen { return ConnectionReference(name: name, base: "") }
    let known = reader.context.connections
    if reader.context.brokenConnections.contains(name) { return ConnectionReference(name: name, base: "") }
    guard let connection = known.first(where: { $0.name == name }) else {
      let others = known.filter { $0.kind == kind.rawValue }.map(\.name)
      let list = others.isEmpty ? ": server.connections names none of kind \(kind.rawValue)" : ""
      reader.problems.error(
        "there is no connection \"\(name)\"\(list)", at: node, suggestion: Suggestion.likely(for: name, among: others))
      return nil
    }
    guard connection.kind == kind.rawValue else {
      reader.problems.error(
        "the connection \"\(name)\" is of kind \(connection.kind), and one of kind \(kind.rawValue) is needed",
        at: node)
      return nil
    }
    return ConnectionReference(name: name, base: connection.base)
  }
}
