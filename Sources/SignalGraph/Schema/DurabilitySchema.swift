import JSON

/// The schema of `durable` of a graph.
enum DurabilitySchema {
  static var durable: JSONValue {
    [
      "description": "Whether the graph's state outlives the daemon: true, or how.",
      "anyOf": [Schema.boolean, settings],
    ]
  }

  static var settings: JSONValue {
    Schema.object([
      "sync": Schema.described(
        ["anyOf": [["const": "commit"], Schema.reference("duration")]],
        "When what is committed has to be on the disk itself: at each commit, or within a time, 100ms to 1h."),
      "history": history, "message_ids": Schema.orNothing(messageIDs),
    ])
  }

  static var history: JSONValue {
    Schema.object(
      [
        "for": Schema.described(Schema.reference("duration"), "How old it may grow."),
        "size": Schema.described(Schema.reference("size"), "How large it may grow, 1MiB or more."),
      ], "The past that is kept beside the state; absent: none.")
  }

  static var messageIDs: JSONValue {
    Schema.object([
      "for": Schema.described(
        Schema.reference("duration"), "How long a message_id of a client is remembered; 10m by default."),
      "count": Schema.described(
        Schema.orPlaceholder(["type": "integer", "minimum": 1, "maximum": 10_000_000]),
        "How many are remembered; 100000 by default."),
    ])
  }
}
