package import JSON

extension JSONValue {
  /// The result of `type`.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    case .verbatim(let verbatim): verbatim.value.typeName
    }
  }

  /// True for every value but `false` and `null`.
  package var isTrue: Bool {
    switch self {
    case .null: false
    case .bool(let value): value
    default: true
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  var isArray: Bool { if case .array = self { true } else { false } }

  var isObject: Bool { if case .object = self { true } else { false } }

  var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  /// The number to compute with.
  @inline(__always)
  package var asNumber: Double? {
    switch self {
    case .number(let value): value
    case .verbatim(let verbatim): if case .number(let value) = verbatim.value { value } else { nil }
    default: nil
    }
  }

  /// The result of `tostring`: a string unchanged, anything else as JSON, in which integers have all their digits.
  package var stringText: String { asString ?? JSONText.make(of: self, limit: .max) ?? description }

  var asString: String? {
    switch self {
    case .string(let value): value
    case .verbatim(let verbatim): if case .string(let value) = verbatim.value { value } else { nil }
    default: nil
    }
  }
}
