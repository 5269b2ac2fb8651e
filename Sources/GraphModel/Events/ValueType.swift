import JSON

/// The types that a declaration can require of the values sent to it.
package enum ValueType: String, CaseIterable, Sendable {
  case integer, number, string, boolean, object, array, any

  /// The name with its article, "an integer", for messages.
  var withArticle: String {
    switch self {
    case .any: "any value"
    case .integer, .object, .array: "an \(rawValue)"
    case .number, .string, .boolean: "a \(rawValue)"
    }
  }

  /// Returns true if a value is of this type; an integer may be written `1.0` or `1e3`, as in JSON Schema.
  func accepts(_ payload: Payload) -> Bool {
    switch self {
    case .any: true
    case .integer: payload.type == .number && payload.value.isIntegral
    default: payload.type == self
    }
  }
}

extension Payload {
  /// Its type, taken from the first byte of an undecoded value; `nil` for null.
  fileprivate var type: ValueType? {
    switch self {
    case .value(let value): value.type
    case .raw(let raw):
      switch raw.first {
      case UInt8(ascii: "{"): .object
      case UInt8(ascii: "["): .array
      case UInt8(ascii: "\""): .string
      case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
      case UInt8(ascii: "n"): nil
      default: .number
      }
    }
  }

  /// The type with its article, "a number", for messages.
  package var typeWithArticle: String { type?.withArticle ?? "null" }
}

extension JSONValue {
  /// The type of its own; `nil` for null.
  package var type: ValueType? {
    switch plain {
    case .null, .verbatim: nil
    case .bool: .boolean
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  package var typeWithArticle: String { type?.withArticle ?? "null" }

  fileprivate var isIntegral: Bool {
    if case .number(let number) = plain { number.rounded() == number } else { false }
  }
}
