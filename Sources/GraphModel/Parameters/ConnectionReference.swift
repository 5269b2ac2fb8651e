import Base

/// A connection of `server.connections` that a signal or an action names.
package struct ConnectionReference: Sendable {
  package let name: String
  package var kind: PeerKind
  /// The beginning of the paths of its requests.
  package var base = ""

  /// Reads the name of a connection of one kind; `nil` after reporting the error in it.
  static func read(_ node: ConfigNode, _ kind: PeerKind, _ reading: ParameterReading) -> ConnectionReference? {
    let reader = reading.reader(node)
    guard let name = reader.text() else { return nil }
    let context = reader.context
    if reader.isOpen || context.brokenConnections.contains(name) { return ConnectionReference(name: name, kind: kind) }
    guard let connection = context.connections.first(where: { $0.name == name }) else {
      let others = context.connections.filter { kind.includes(PeerKind(rawValue: $0.kind)) }.map(\.name)
      let list = others.isEmpty ? ": server.connections names none of kind \(kind.rawValue)" : ""
      reader.problems.error(
        "there is no connection \"\(name)\"\(list)", at: node, suggestion: Suggestion.likely(for: name, among: others))
      return nil
    }
    let own = PeerKind(rawValue: connection.kind)
    guard kind.includes(own) else {
      reader.problems.error(
        "the connection \"\(name)\" is of kind \(own.rawValue), and one of kind \(kind.rawValue) is needed",
        at: node)
      return nil
    }
    return ConnectionReference(name: name, kind: own, base: connection.base)
  }
}

extension PeerKind {
  /// Returns true if what takes this kind takes another.
  fileprivate func includes(_ kind: PeerKind) -> Bool {
    self == .adapter ? !PeerKind.bundled.contains(kind) : self == kind
  }
}
