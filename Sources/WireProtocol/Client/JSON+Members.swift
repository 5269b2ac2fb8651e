package import JSON

extension JSONObject {
  /// A member as a person reads it; nothing where there is none.
  package func text(_ key: String) -> String { self[key]?.plainText ?? "" }

  /// A number, 0 where there is none.
  package func number(_ key: String) -> Double {
    if case .number(let number)? = self[key]?.plain { number } else { 0 }
  }

  /// An object, an empty one where there is none.
  package func object(_ key: String) -> JSONObject { self[key]?.members ?? JSONObject() }
}

extension JSONValue {
  /// As a person reads it: a string as it is, anything else as JSON.
  package var plainText: String {
    if case .string(let string) = plain { string } else { plain.description }
  }

  /// The members of an object; none of what is no object.
  package var members: JSONObject {
    if case .object(let object) = self { object } else { JSONObject() }
  }
}
