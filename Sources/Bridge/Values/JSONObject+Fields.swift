internal import JSON

extension JSONObject {
  func string(_ key: String) -> String? {
    if case .string(let text)? = self[key]?.plain { text } else { nil }
  }

  func double(_ key: String) -> Double? {
    if case .number(let number)? = self[key]?.plain { number } else { nil }
  }

  func integer(_ key: String) -> Int? { double(key).flatMap { Int(exactly: $0) } }

  func flag(_ key: String) -> Bool { if case .bool(true)? = self[key]?.plain { true } else { false } }

  func nested(_ key: String) -> JSONObject? {
    if case .object(let object)? = self[key] { object } else { nil }
  }

  /// The texts of an object whose values are strings, numbers and booleans.
  func texts(_ key: String) -> [(name: String, value: String)] {
    (nested(key)?.members ?? []).compactMap { member in member.value.text.map { (member.key, $0) } }
  }
}

extension JSONValue {
  /// The text of a scalar; `nil` for null, a list or an object.
  var text: String? {
    switch plain {
    case .string(let text): text
    case .number, .bool: description
    case .null, .array, .object, .verbatim: nil
    }
  }
}
