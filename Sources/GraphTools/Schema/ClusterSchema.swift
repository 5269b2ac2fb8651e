import JSON

/// The schema of a graph's `cluster`.
enum ClusterSchema {
  static var cluster: JSONValue {
    [
      "description":
        "Run the durable graph on one of the nodes of server.cluster, and let another take over: true, or the nodes.",
      "anyOf": [
        Schema.boolean,
        Schema.object(
          [
            "nodes": Schema.described(
              ["anyOf": [["type": "string"], ["type": "array", "items": ["type": "string"]]]],
              "The nodes that may run it: names, in which * stands for any characters.")
          ], required: ["nodes"]),
      ],
    ]
  }
}
