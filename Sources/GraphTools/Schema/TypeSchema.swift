import GraphModel
import JSON

/// The schema of a type of values.
enum TypeSchema {
  static var type: JSONValue { form(keys, "The type of values.") }

  /// A type in `fields`.
  static var field: JSONValue {
    var keys = keys
    keys["optional"] = Schema.described(["type": "boolean"], "True if an object may lack the field.")
    return form(keys, "The type of a field.")
  }

  private static let words = Schema.choice(ValueType.allCases.map(\.rawValue))

  private static func form(_ keys: JSONObject, _ description: String) -> JSONValue {
    ["description": .string(description), "anyOf": [words, Schema.object(keys)]]
  }

  private static var keys: JSONObject {
    let number = Schema.orPlaceholder(["type": "number"])
    return [
      "type": Schema.described(words, "The type by its name; default: the one that the other keys imply."),
      "minimum": Schema.described(number, "The least number."),
      "maximum": Schema.described(number, "The greatest number."),
      "enum": ["type": "array", "minItems": 1, "description": "The only values."],
      "fields": Schema.described(
        ["type": "object", "additionalProperties": Schema.reference("field"), "minProperties": 1],
        "The fields that an object must have, unless they are optional, with their types."),
      "items": Schema.described(Schema.reference("type"), "The type of the items of an array."),
    ]
  }
}
