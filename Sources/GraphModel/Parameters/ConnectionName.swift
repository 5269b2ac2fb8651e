/// The name of a connection of one kind, as a parameter.
package protocol ConnectionName: ParameterValue {
  /// The kind of the connections.
  static var kind: PeerKind { get }
  var reference: ConnectionReference { get }
  init(reference: ConnectionReference)
}

extension ConnectionName {
  package static var typeName: String { "the name of a connection of server.connections" }
  package static var shape: ParameterShape { .text }
  package var needs: [OutsideNeed] { [.connection(reference.name)] }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Self? {
    ConnectionReference.read(node, kind, reading).map(Self.init)
  }
}

/// The name of a connection to an HTTP server.
package struct HTTPConnectionName: ConnectionName {
  package static let kind = PeerKind.http
  package let reference: ConnectionReference

  package init(reference: ConnectionReference) { self.reference = reference }
}

/// The name of a connection to an MQTT broker.
package struct MQTTConnectionName: ConnectionName {
  package static let kind = PeerKind.mqtt
  package let reference: ConnectionReference

  package init(reference: ConnectionReference) { self.reference = reference }
}

/// The name of a connection to NATS servers.
package struct NATSConnectionName: ConnectionName {
  package static let kind = PeerKind.nats
  package let reference: ConnectionReference

  package init(reference: ConnectionReference) { self.reference = reference }
}

/// The name of a connection that another adapter makes.
package struct AdapterConnectionName: ConnectionName {
  package static let kind = PeerKind.adapter
  package let reference: ConnectionReference

  package init(reference: ConnectionReference) { self.reference = reference }
}
