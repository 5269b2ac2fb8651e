import JSON

/// The pieces of schemas.
enum Schema {
  /// The value of `${…}`, and that of a template's `$parameter`, is only known when the file is read.
  static let placeholder: JSONValue = ["type": "string", "pattern": "\\$\\{|^\\$[a-z][a-z0-9_]*$"]

  static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/definitions/\(name)")] }

  static func text(_ description: String) -> JSONValue {
    ["type": ["string"], "description": .string(description)]
  }

  /// A section that may be left empty, as when all in it is commented out.
  static func orNothing(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, ["type": "null"]]] }

  static func orPlaceholder(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, placeholder]] }

  static func choice(_ words: [String]) -> JSONValue {
    orPlaceholder(["enum": .array(words.map { .string($0) })])
  }

  static var boolean: JSONValue { orPlaceholder(["type": "boolean"]) }

  /// An object with these members and no others.
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

  /// An object whose keys are names.
  static func map(to schema: JSONValue, _ description: String) -> JSONValue {
    [
      "type": "object", "propertyNames": ["pattern": "^[A-Za-z0-9_-]+$"], "additionalProperties": schema,
      "description": .string(description),
    ]
  }

  /// The content of a template: as such a thing is, if no parameter stands in the place of something.
  static func parameterised(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, [:]]] }

  /// A schema with a description of its own.
  static func described(_ schema: JSONValue, _ description: String) -> JSONValue {
    guard case .object(var object) = schema, object["$ref"] == nil else {
      return ["description": .string(description), "allOf": [schema]]
    }
    object["description"] = .string(description)
    return .object(object)
  }
}
