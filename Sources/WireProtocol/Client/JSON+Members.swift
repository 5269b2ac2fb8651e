package import JSON

extension JSONObject {
  /// The text of a member; empty if it is missing.
  package func text(_ key: String) -> String { self[key]?.plainText ?? "" }

  /// The number of a member; 0 if it is missing.
  package func number(_ key: String) -> Double {
    if case .number(let number)? = self[key]?.plain { number } else { 0 }
  }

  /// The object of a member; empty if it is missing.
  package func object(_ key: String) -> JSONObject { self[key]?.members ?? JSONObject() }
}

extension JSONValue {
  /// The readable form: a string without quotes, anything else as JSON.
  package var plainText: String {
    if case .string(let string) = plain { string } else { plain.description }
  }

  /// The members of an object; empty for other values.
  package var members: JSONObject {
    if case .object(let object) = self { object } else { JSONObject() }
  }
}
