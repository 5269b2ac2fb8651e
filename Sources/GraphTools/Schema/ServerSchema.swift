import GraphModel
import JSON

/// The schema of the daemon's settings.
enum ServerSchema {
  static var server: JSONValue {
    Schema.object([
      "socket": Schema.orNothing(socket), "access": Schema.orNothing(access), "limits": Schema.orNothing(limits),
      "log": Schema.orNothing(log), "dbus": dbus, "connections": Schema.orNothing(connections),
      "bridge": Schema.described(
        Schema.choice(BridgeProgram.allCases.map(\.rawValue)),
        "child: the daemon starts signalbox-bridge; service: an adapter attaches; absent: service under systemd."),
      "cluster": Schema.orNothing(cluster), "location": Schema.orNothing(location),
      "state": Schema.text("The folder with the state of durable graphs; absent: what systemd gives the service."),
    ])
  }

  static var access: JSONValue {
    let names: JSONValue = ["type": "array", "items": ["type": "string"]]
    return Schema.object([
      "stats": Schema.described(names, "Who sees the counts of the daemon and of all signals."),
      "adapters": Schema.described(names, "Whose clients may be adapters, which speak with peers on the network."),
    ])
  }

  static var cluster: JSONValue {
    let replicas = Schema.orPlaceholder(["type": "integer", "minimum": 1, "maximum": 5])
    return Schema.object(
      [
        "connection": Schema.text("The connection of kind nats to the servers that the nodes share."),
        "node": Schema.text("The name of this node; default: the name of the host."),
        "prefix": Schema.text("The first part of all subjects; default: signalbox."),
        "replicas": Schema.described(
          replicas, "The number of servers that store each record; default: 3, or as many as connection has addresses."),
      ], "The cluster that the daemon is a node of, for graphs with cluster: true.", required: ["connection"])
  }

  static var dbus: JSONValue {
    Schema.object(
      [
        "bus": Schema.text("system, session, or the address of a bus, such as unix:path=/run/other/bus."),
        "name": Schema.text("The name that the daemon owns there; default: org.signalbox.Signalbox."),
      ], "The message bus of signals with dbus: true.", required: ["bus"])
  }

  static var connections: JSONValue {
    Schema.map(to: connection, "Peers on the network by the names that signals and actions give them.")
  }

  private static var connection: JSONValue {
    ["anyOf": .array(PeerKind.declared.map(\.schema))]
  }

  static var location: JSONValue {
    let latitude = Schema.orPlaceholder(["type": "number", "minimum": -90, "maximum": 90])
    let longitude = Schema.orPlaceholder(["type": "number", "minimum": -180, "maximum": 180])
    return Schema.object(
      [
        "latitude": Schema.described(latitude, "Degrees; north of the equator is positive."),
        "longitude": Schema.described(longitude, "Degrees; east of Greenwich is positive."),
      ], "The location of the machine, for calendar times such as sunset.", required: ["latitude", "longitude"])
  }

  static var socket: JSONValue {
    Schema.object([
      "path": Schema.text("The socket for clients."),
      "mode": ["type": ["string", "number"], "description": "Its permissions in octal, in quotes: \"0660\"."],
      "group": ["type": ["string", "integer"], "description": "The name or number of its group."],
    ])
  }

  static var limits: JSONValue {
    Schema.object([
      "connections": Schema.count("Maximum number of connections."),
      "line": Schema.size("Maximum bytes of a line of a client, or of a file."),
      "depth": Schema.count("Maximum nesting depth of a line."),
      "output": Schema.size("Maximum bytes in the send buffer of a client."),
      "memory": Schema.size("Maximum bytes held for all clients."),
      "unfinished": Schema.described(Schema.reference("duration"), "Maximum age of an incomplete line."),
      "subscriptions": Schema.count("Maximum number of subscriptions of all clients."),
      "user": Schema.orNothing(user), "client": Schema.orNothing(client),
      "turn": Schema.count("Maximum values in one turn."),
      "turn_time": Schema.described(Schema.reference("duration"), "Maximum time of a turn."),
      "chain": Schema.count("Maximum turns from one cause."),
      "value": Schema.size("Maximum bytes of a value of an operator."),
      "expression": Schema.count("Maximum steps of one evaluation."),
      "series": Schema.count("Maximum series of all metrics together."),
    ])
  }

  static var user: JSONValue {
    Schema.object([
      "connections": Schema.count("Maximum number of connections of one user."),
      "memory": Schema.size("Maximum bytes held for the clients of one user."),
      "subscriptions": Schema.count("Maximum number of subscriptions of one user."),
      "sends": Schema.count("Maximum values per second from one user; default: unlimited."),
    ])
  }

  static var client: JSONValue {
    Schema.object([
      "subscriptions": Schema.count("Maximum number of subscriptions of one client."),
      "sends": Schema.count("Maximum values per second from one client; default: unlimited."),
    ])
  }

  static var log: JSONValue {
    let levels = Schema.choice(LogSettings.Level.allCases.map(\.rawValue))
    return Schema.object(["level": Schema.described(levels, "The lowest level that is logged.")])
  }
}
