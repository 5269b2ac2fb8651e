import JSON

/// The schema of a graph's tests.
enum TestSchema {
  static var test: JSONValue {
    Schema.object([
      "name": ["type": ["string", "number"], "description": "The name of the test, a sentence that must hold."],
      "start": Schema.text("Its start time, such as 2026-01-01; default 1970-01-01."),
      "tick": Schema.described(Schema.reference("duration"), "The time between two columns; default 1s."),
      "about": [
        "type": "number", "minimum": 0,
        "description": "The tolerance for numbers; default 0.",
      ],
      "values": ["type": "object", "description": "The values of the letters in the diagrams."],
      "error": Schema.described(failure, "The failure of the mark #."),
      "stubs": [
        "type": "array", "items": ["type": "string"],
        "description": "Signals replaced by stubs, which emit only the values that the test sends to them.",
      ],
      "given": diagrams("The input events, by signal."),
      "expect": diagrams("The expected events, by signal; those of actions under call.", withCalls: true),
      "script": ["type": "array", "items": step, "description": "Steps, each at its time."],
      "until": Schema.described(time, "The end of the test, if after its last step."),
    ])
  }

  /// A duration since the start, or a moment.
  private static let time: JSONValue = [
    "anyOf": [Schema.reference("instant"), ["type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ]"]]
  ]

  private static let failure = Schema.object(["code": ["type": "string"], "message": ["type": "string"]])

  private static let failureOfCall = Schema.object([
    "code": ["type": "string"], "message": ["type": "string"], "status": ["type": "integer"],
  ])

  private static func diagrams(_ description: String, withCalls: Bool = false) -> JSONValue {
    let diagram: JSONValue = ["type": ["string", "number", "boolean"]]
    var schema: JSONObject = [
      "type": "object", "description": .string(description + " A column is one tick: \"--a-(bc)|\"."),
      "additionalProperties": diagram,
    ]
    if withCalls {
      schema["properties"] = ["call": ["anyOf": [diagram, ["type": "object", "additionalProperties": diagram]]]]
    }
    return .object(schema)
  }

  private static var step: JSONValue {
    let values: JSONValue = ["type": "object"]
    let endings = { (failure: JSONValue) -> JSONValue in
      [
        "type": "object",
        "additionalProperties": [
          "anyOf": [
            ["enum": ["completed", "interrupted", "failed"]], Schema.object(["failed": failure], required: ["failed"]),
          ]
        ],
      ]
    }
    return Schema.object(
      [
        "at": time, "send": values, "end": endings(failureOfCall), "expect": values,
        "expect_end": endings(failure),
        "subscribe": Schema.object(["as": ["type": "string"], "to": ["type": "string"]], required: ["as", "to"]),
        "unsubscribe": ["type": "string"], "call": values,
      ], required: ["at"])
  }
}
