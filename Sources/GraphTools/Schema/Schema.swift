import JSON

/// Building blocks of schemas.
enum Schema {
  /// A `${…}` or a template's `$parameter`, whose value is known only when the file is read.
  static let placeholder: JSONValue = ["type": "string", "pattern": "\\$\\{|^\\$[a-z][a-z0-9_]*$"]

  /// Returns the schema of a count from 1.
  static func count(_ description: String) -> JSONValue {
    described(orPlaceholder(["type": "integer", "minimum": 1]), description)
  }

  /// Returns the schema of a size in bytes.
  static func size(_ description: String) -> JSONValue { described(reference("size"), description) }

  static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/definitions/\(name)")] }

  static func text(_ description: String) -> JSONValue {
    ["type": ["string"], "description": .string(description)]
  }

  /// Accepts an empty section, as when all its content is commented out.
  static func orNothing(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, ["type": "null"]]] }

  static func orPlaceholder(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, placeholder]] }

  static func choice(_ words: [String]) -> JSONValue {
    orPlaceholder(["enum": .array(words.map { .string($0) })])
  }

  static var boolean: JSONValue { orPlaceholder(["type": "boolean"]) }

  /// Returns the schema of an object with exactly these members.
  static func object(
    _ properties: JSONObject, _ description: String? = nil, required: [String] = []
  ) -> JSONValue {
    var object: JSONObject = [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
    ]
    if !required.isEmpty { object["required"] = .array(required.map { .string($0) }) }
    object["description"] = description.map { .string($0) }
    return .object(object)
  }

  /// Returns the schema of an object with names as keys.
  static func map(to schema: JSONValue, _ description: String) -> JSONValue {
    [
      "type": "object", "propertyNames": ["pattern": "^[A-Za-z0-9_-]+$"], "additionalProperties": schema,
      "description": .string(description),
    ]
  }

  /// Returns the schema of a template's content, where a parameter may replace any node.
  static func parameterised(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, [:]]] }

  /// Returns a schema with another description.
  static func described(_ schema: JSONValue, _ description: String) -> JSONValue {
    guard case .object(var object) = schema, object["$ref"] == nil else {
      return ["description": .string(description), "allOf": [schema]]
    }
    object["description"] = .string(description)
    return .object(object)
  }
}
