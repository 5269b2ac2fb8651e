import JSON

/// A scalar after `${…}` was replaced and its type was found.
struct ResolvedScalar {
  let text: String
  let value: JSONValue

  var isNull: Bool {
    if case .null = value { true } else { false }
  }

  var number: Double? {
    if case .number(let number) = value.plain { number } else { nil }
  }

  var isString: Bool {
    if case .string = value.plain { true } else { false }
  }
}
