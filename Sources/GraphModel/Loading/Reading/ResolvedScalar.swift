import JSON

/// A scalar with `${…}` replaced and its type resolved.
struct ResolvedScalar {
  let text: String
  let value: JSONValue

  var isNull: Bool {
    if case .null = value { true } else { false }
  }

  var number: Double? {
    if case .number(let number) = value.plain { number } else { nil }
  }

  /// The whole number, with every digit of its text; `nil` for a fraction and beyond the type.
  var integer: Int? { number.flatMap { Int(text) ?? Int(exactly: $0) } }

  var isString: Bool {
    if case .string = value.plain { true } else { false }
  }
}
