import JSON

/// The schema of a graph's `durable`.
enum DurabilitySchema {
  static var durable: JSONValue {
    [
      "description": "Keep the state of the graph across restarts: true, or the settings.",
      "anyOf": [Schema.boolean, settings],
    ]
  }

  static var settings: JSONValue {
    Schema.object([
      "sync": Schema.described(
        ["anyOf": [["const": "commit"], Schema.reference("duration")]],
        "When commits are synced to disk: at each commit, or within a time, 100ms to 1h."),
      "history": history, "message_ids": Schema.orNothing(messageIDs),
    ])
  }

  static var history: JSONValue {
    Schema.object(
      [
        "for": Schema.described(Schema.reference("duration"), "The maximum age."),
        "size": Schema.described(Schema.reference("size"), "The maximum size, 1MiB or more."),
      ], "The retained history; default: none.")
  }

  static var messageIDs: JSONValue {
    Schema.object([
      "for": Schema.described(
        Schema.reference("duration"), "How long message ids are remembered; default: 10m."),
      "count": Schema.described(
        Schema.orPlaceholder(["type": "integer", "minimum": 1, "maximum": 10_000_000]),
        "The number of remembered message ids; default: 100000."),
    ])
  }
}
