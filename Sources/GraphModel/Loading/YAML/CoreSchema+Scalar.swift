import JSON

extension CoreSchema {
  /// Resolves a text with another scalar's style and tag: quoted scalars are strings.
  static func resolve(_ text: String, as scalar: Scalar) -> Resolution {
    guard let tag = scalar.tag else { return scalar.style == .plain ? resolve(text) : .success(.string(text)) }
    if tag == .string { return .success(.string(text)) }
    let resolution = resolve(text)
    if case .success(let value) = resolution, !value.matches(tag) {
      return .failure(Refusal(message: "\"\(text)\" is not a value of !!\(tag.rawValue)"))
    }
    return resolution
  }
}

extension JSONValue {
  fileprivate func matches(_ tag: Scalar.Tag) -> Bool {
    switch (tag, plain) {
    case (.null, .null), (.boolean, .bool), (.float, .number), (.string, .string): true
    case (.integer, .number(let number)): number.rounded() == number
    default: false
    }
  }
}
