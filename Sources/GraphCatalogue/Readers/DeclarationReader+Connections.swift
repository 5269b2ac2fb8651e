import GraphModel

extension DeclarationReader {
  /// Returns the one connection that announces to Home Assistant, with its node; reports that there are none or several.
  ///
  /// - Parameter entity: The place of the declaration that needs it.
  func announcingConnection(for entity: ConfigNode) -> (connection: String, node: String)? {
    if context.announcing.count == 1 { return context.announcing.first }
    if !context.hasBrokenDiscovery {
      let count = context.announcing.isEmpty ? "no connection has" : "more than one connection has"
      problems.error("\(count) discovery: homeassistant, so entity does not say where", at: entity)
    }
    return nil
  }

  /// Returns the peer that a source is read from, as far as the declaration of the signal does not name it.
  func peer(of body: SignalBody) -> String {
    for case .connection(let name) in body.source.needs {
      guard let connection = context.connections.first(where: { $0.name == name }) else { continue }
      return "\(connection.name) \(connection.kind) \(connection.base)"
    }
    return ""
  }
}
