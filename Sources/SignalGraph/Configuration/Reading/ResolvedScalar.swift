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

extension Reader {
  /// The scalar's text and value; `nil`, and reported, for a collection or for a `${…}` that stands for nothing.
  func resolved(expected: String) -> ResolvedScalar? {
    guard let scalar = node.scalar else {
      refuse(expected: expected)
      return nil
    }
    guard let text = replaced(scalar.text) else { return nil }
    switch CoreSchema.resolve(text, as: scalar) {
    case .success(let value): return ResolvedScalar(text: text, value: value)
    case .failure(let refusal):
      problems.error(refusal.message, at: node)
      return nil
    }
  }

  private func replaced(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    do throws(ReplacementError) {
      return try context.replacements.expand(text)
    } catch {
      problems.error(error.message, at: node)
      return nil
    }
  }
}

extension Replacements {
  /// A text with every `${…}` in it replaced; what comes in is not looked at again.
  func expand(_ text: String) throws(ReplacementError) -> String {
    var result = ""
    for piece in try Template(text).pieces {
      switch piece {
      case .text(let text): result += text
      case .reference(let reference): result += try value(of: reference).get()
      }
    }
    return result
  }
}

extension CoreSchema {
  /// The value of a scalar with this text and another's style and tag: quoted ones are strings.
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
