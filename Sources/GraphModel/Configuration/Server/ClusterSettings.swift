import Base
import JSON

/// The cluster that the daemon is a node of: the servers of NATS that the nodes share.
package struct ClusterSettings: Sendable, Equatable {
  /// The connection of `server.connections` to the servers.
  package let connection: PeerConnection
  /// The name of this node; `nil` for the name of the host.
  package let node: String?
  /// The first part of all subjects, which separates clusters that share servers.
  package let prefix: String
  /// The number of servers that store each record.
  package let replicas: Int

  static let keys = ["connection", "node", "prefix", "replicas"]

  private static let mostReplicas = 5
  private static let defaultReplicas = 3

  /// - Parameter connections: Those of `server.connections`.
  init?(reading reader: MappingReader, _ connections: [PeerConnection]) {
    let connection = reader.required("connection").flatMap { Self.connection($0, connections) }
    node = reader.optional("node").flatMap(Self.word)
    prefix = reader.optional("prefix").flatMap(Self.word) ?? "signalbox"
    let replicas = reader.optional("replicas")?.int(in: 1...Self.mostReplicas)
    guard let connection else { return nil }
    self.connection = connection
    // The addresses are where servers are looked for, and most often all that there are.
    var servers = 1
    if case .array(let addresses)? = connection.settings["servers"]?.plain { servers = addresses.count }
    self.replicas = replicas ?? min(Self.defaultReplicas, servers)
  }

  /// Reads a token of a subject.
  private static func word(_ reader: Reader) -> String? {
    guard let text = reader.text(), !reader.isOpen else { return nil }
    if Name.isValid(text) { return text }
    reader.problems.error("invalid name \"\(text)\": use letters, digits, \"_\" and \"-\"", at: reader)
    return nil
  }

  private static func connection(_ reader: Reader, _ connections: [PeerConnection]) -> PeerConnection? {
    guard let name = reader.text(), !reader.isOpen else { return nil }
    if reader.context.brokenConnections.contains(name) { return nil }
    let servers = connections.filter { $0.kind == .nats }
    if let connection = servers.first(where: { $0.name == name }) { return connection }
    let kind = connections.first { $0.name == name }?.kind.rawValue
    let problem =
      kind.map { "the connection \"\(name)\" is of kind \($0), and a cluster needs one of kind nats" }
      ?? "there is no connection \"\(name)\""
    reader.problems.error(problem, at: reader, suggestion: Suggestion.likely(for: name, among: servers.map(\.name)))
    return nil
  }
}
