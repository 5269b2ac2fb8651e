/// The name of a connection of one kind, as a parameter.
protocol ConnectionName: ParameterValue {
  /// The kind of the connections.
  static var kind: PeerKind { get }
  var reference: ConnectionReference { get }
  init(reference: ConnectionReference)
}

extension ConnectionName {
  static var typeName: String { "the name of a connection of server.connections" }
  static var shape: ParameterShape { .text }
  var needs: [OutsideNeed] { [.connection(reference.name)] }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Self? {
    ConnectionReference.read(node, kind, reading).map(Self.init)
  }
}

/// The name of a connection to an HTTP server.
struct HTTPConnectionName: ConnectionName {
  static let kind = PeerKind.http
  let reference: ConnectionReference
}

/// The name of a connection to an MQTT broker.
struct MQTTConnectionName: ConnectionName {
  static let kind = PeerKind.mqtt
  let reference: ConnectionReference
}

/// The name of a connection to NATS servers.
struct NATSConnectionName: ConnectionName {
  static let kind = PeerKind.nats
  let reference: ConnectionReference
}

/// The name of a connection that another adapter makes.
struct AdapterConnectionName: ConnectionName {
  static let kind = PeerKind.adapter
  let reference: ConnectionReference
}
