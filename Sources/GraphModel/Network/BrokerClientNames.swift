import JSON

/// The names of clients that connections choose; each broker takes a name only once.
///
/// It ends the connection of the client that had the name, and both would go on for ever to take it from each other.
struct BrokerClientNames {
  private var connections: [(broker: String, name: String, connection: String, node: ConfigNode)] = []
  private let problems: Problems

  init(_ problems: Problems) { self.problems = problems }

  /// Notes a connection to an MQTT broker; reports a name that one before it has.
  mutating func note(_ connection: PeerConnection, _ node: ConfigNode?) {
    let settings = connection.settings
    guard let node, !connection.isOpen, case .string(let name)? = settings["client_id"]?.plain else { return }
    let address = ["host", "port", "path"].compactMap { settings[$0]?.description }
    let broker = address.joined(separator: " ")
    if let other = connections.first(where: { $0.broker == broker && Self.clash(name, $0.name) }) {
      problems.error(
        "\(connection.name) and \(other.connection) would be one client of their broker: give each its own client_id",
        at: node, related: .init("also given here", at: other.node.place))
    }
    connections.append((broker, name, connection.name, node))
  }

  /// Returns true if one is the other, or the client over which the other publishes.
  private static func clash(_ one: String, _ other: String) -> Bool {
    one == other || one == other + "-out" || other == one + "-out"
  }
}
