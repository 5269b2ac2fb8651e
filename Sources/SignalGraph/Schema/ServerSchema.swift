import JSON

/// The schema of the daemon's own settings.
enum ServerSchema {
  static var server: JSONValue {
    Schema.object([
      "socket": Schema.orNothing(socket), "access": Schema.orNothing(access), "limits": Schema.orNothing(limits),
      "log": Schema.orNothing(log), "dbus": dbus,
      "state": Schema.text("The folder with the state of durable graphs; absent: what systemd gives the service."),
    ])
  }

  static var access: JSONValue {
    let names: JSONValue = ["type": "array", "items": ["type": "string"]]
    return Schema.object([
      "stats": Schema.described(names, "Who sees the counts of the daemon and of all signals.")
    ])
  }

  static var dbus: JSONValue {
    Schema.object(
      [
        "bus": Schema.text("system, session, or the address of a bus, such as unix:path=/run/other/bus."),
        "name": Schema.text("The name that the daemon owns there; org.signalbox.Signalbox by default."),
      ], "The message bus on which signals are that say dbus: true.", required: ["bus"])
  }

  static var socket: JSONValue {
    Schema.object([
      "path": Schema.text("Where clients connect."),
      "mode": ["type": ["string", "number"], "description": "Its permissions in octal, in quotes: \"0660\"."],
      "group": ["type": ["string", "integer"], "description": "The name or number of its group."],
    ])
  }

  static var limits: JSONValue {
    Schema.object([
      "connections": count("Clients at once."),
      "line": size("Bytes of a client's line, or of a file."),
      "depth": count("How deep a line may be nested."),
      "output": size("Bytes held for one client that reads slowly."),
      "memory": size("Bytes held for all clients."),
      "unfinished": Schema.described(Schema.reference("duration"), "How old an unfinished line may grow."),
      "subscriptions": count("Subscriptions of all clients at once."),
      "user": Schema.orNothing(user), "client": Schema.orNothing(client),
      "turn": count("Values in one turn."),
      "chain": count("Turns from one cause."),
      "value": size("Bytes of a value that an operator makes."),
      "expression": count("Steps of one evaluation."),
    ])
  }

  static var user: JSONValue {
    Schema.object([
      "connections": count("Clients of one user at once."),
      "memory": size("Bytes held for the clients of one user."),
      "subscriptions": count("Subscriptions of one user's clients at once."),
      "sends": count("Values that one user's clients may send in a second; absent: any number."),
    ])
  }

  static var client: JSONValue {
    Schema.object([
      "subscriptions": count("Subscriptions of one client at once."),
      "sends": count("Values that one client may send in a second; absent: any number."),
    ])
  }

  static var log: JSONValue {
    let levels = Schema.choice(LogSettings.Level.allCases.map(\.rawValue))
    return Schema.object(["level": Schema.described(levels, "The least important records that are written.")])
  }

  private static func count(_ description: String) -> JSONValue {
    Schema.described(Schema.orPlaceholder(["type": "integer", "minimum": 1]), description)
  }

  private static func size(_ description: String) -> JSONValue {
    Schema.described(Schema.reference("size"), description)
  }
}
