import GraphModel
import JSON

extension PeerKind {
  /// The schema of a connection of this kind.
  var schema: JSONValue {
    switch self {
    case .http: PeerSchema.http
    case .mqtt: PeerSchema.mqtt
    case .nats: PeerSchema.nats
    default: PeerSchema.other
    }
  }
}

/// The schemas of connections to peers on the network.
private enum PeerSchema {
  static var http: JSONValue {
    Schema.object(
      [
        "http": Schema.text("The address of an HTTP server: https://…, http://… or unix:/path."),
        "headers": ["type": "object", "description": "The headers of each request, by their names."],
        "concurrent": Schema.count("The most requests at the same time; 4 by default."),
        "timeout": Schema.described(Schema.reference("duration"), "How long a request may take; 30s by default."),
        "tls": tls,
        "proxy": Schema.text("The address of a proxy: http://…, https://… or socks5://…."),
        "limit": Schema.size("The most bytes of an answer; 1MiB by default."),
      ], required: ["http"])
  }

  static var mqtt: JSONValue {
    Schema.object(
      [
        "mqtt": Schema.text("The address of an MQTT broker: mqtt://HOST:PORT, mqtts://HOST:PORT or unix:/path."),
        "user": Schema.text("The user at the broker."),
        "password": Schema.text("The user's password."),
        "client_id": Schema.text(
          "The name of the client at the broker; made of the host and the connection by default."),
        "version": Schema.described(
          Schema.orPlaceholder(["enum": ["3.1.1", "5", 5]]), "The version of the protocol; 5 by default."),
        "keepalive": Schema.described(
          Schema.reference("duration"), "The longest silence before the broker is asked; 30s by default."),
        "session": Schema.described(
          Schema.reference("duration"), "How long the broker keeps messages for durable graphs; 7d by default."),
        "window": Schema.count("The most messages on their way in each direction; 512 by default."),
        "limit": Schema.size("The most bytes of a message; 1MiB by default."),
        "tls": tls,
        "will": Schema.object(
          [
            "topic": Schema.text("The topic."), "payload": Schema.text("The payload; empty by default."),
            "qos": quality, "retain": Schema.boolean,
          ], "The message that the broker publishes when the bridge is gone.", required: ["topic"]),
        "discovery": Schema.described(
          [
            "anyOf": [
              Schema.choice(["homeassistant"]),
              Schema.object(
                [
                  "homeassistant": Schema.text("The prefix of the topics."),
                  "node": Schema.text("The name of the node."),
                ],
                required: ["homeassistant"]),
            ]
          ], "Announces what is published here to Home Assistant."),
      ], required: ["mqtt"])
  }

  static var nats: JSONValue {
    let address = Schema.text("The address of a NATS server: nats://HOST:PORT or tls://HOST:PORT.")
    return Schema.object(
      [
        "nats": ["anyOf": [address, ["type": "array", "items": address, "minItems": 1]]],
        "credentials": Schema.text("The content of a credentials file."),
        "user": Schema.text("The user at the servers."),
        "password": Schema.text("The user's password."),
        "token": Schema.text("The token for the servers."),
        "window": Schema.count("The most messages on their way in each direction; 512 by default."),
        "limit": Schema.size("The most bytes of a message; 1MiB by default."),
        "tls": tls,
      ], required: ["nats"])
  }

  static var other: JSONValue {
    Schema.object(
      [
        "adapter": Schema.text("The kind that the adapter serves."),
        "settings": ["type": "object", "description": "What the adapter is told of the connection."],
        "window": Schema.count("The most tasks that the adapter has at the same time; 64 by default."),
        "limit": Schema.size("The most bytes of a payload; 1MiB by default."),
      ], required: ["adapter"])
  }

  private static var quality: JSONValue {
    Schema.described(
      Schema.orPlaceholder(["type": "integer", "minimum": 0, "maximum": 2]), "The quality of service; 0 by default.")
  }

  private static var tls: JSONValue {
    let path = Schema.text("An absolute path.")
    return Schema.described(
      Schema.object(["ca": path, "certificate": path, "key": path]),
      "Files with the authorities that are trusted, and with the client's own certificate and key.")
  }
}
