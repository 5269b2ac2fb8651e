package import JSON

/// The type of the values sent to a signal: a word, which a range, an enumeration or fields may narrow.
package struct DeclaredType: Equatable, Sendable {
  /// The fields of an object that must be present, in the order of the file.
  package struct Field: Equatable, Sendable {
    package let name: String
    package let type: DeclaredType
  }

  package let word: ValueType
  package let minimum: Double?
  package let maximum: Double?
  /// The only accepted values; empty if there are others.
  package let choices: [JSONValue]
  package let fields: [Field]

  package init(
    _ word: ValueType, minimum: Double? = nil, maximum: Double? = nil, choices: [JSONValue] = [], fields: [Field] = []
  ) {
    (self.word, self.minimum, self.maximum) = (word, minimum, maximum)
    (self.choices, self.fields) = (choices, fields)
  }

  package static let any = DeclaredType(.any)

  /// The range, if both ends are declared and differ.
  package var range: ClosedRange<Double>? {
    guard let minimum, let maximum, minimum < maximum else { return nil }
    return minimum...maximum
  }

  /// True if the word alone decides.
  private var isPlain: Bool { minimum == nil && maximum == nil && choices.isEmpty && fields.isEmpty }

  /// The type with its article, "a number from 0 to 30", for messages.
  package var withArticle: String {
    if !choices.isEmpty {
      let texts =
        choices.prefix(Self.mostShown).map { Self.shortened($0) } + (choices.count > Self.mostShown ? ["…"] : [])
      return "one of \(texts.joined(separator: ", "))"
    }
    if !fields.isEmpty {
      return "an object with the field\(fields.count == 1 ? "" : "s") \(fields.map(\.name).joined(separator: ", "))"
    }
    switch (minimum, maximum) {
    case (let least?, let most?): return "\(word.withArticle) from \(Self.text(least)) to \(Self.text(most))"
    case (let least?, nil): return "\(word.withArticle) of at least \(Self.text(least))"
    case (nil, let most?): return "\(word.withArticle) of at most \(Self.text(most))"
    case (nil, nil): return word.withArticle
    }
  }

  /// The most choices that a message lists.
  private static let mostShown = 10

  private static func text(_ number: Double) -> String { JSONValue.number(number).description }

  /// A value that does not fit: what was expected, and what it is.
  package struct Mismatch: Equatable, Sendable {
    package let expected: String
    package let found: String
  }

  /// Returns the reason that a value does not fit; `nil` for one that fits.
  package func mismatch(_ payload: Payload) -> Mismatch? {
    guard word.accepts(payload) else { return Mismatch(expected: withArticle, found: payload.typeWithArticle) }
    return isPlain ? nil : mismatch(payload.value, in: "")
  }

  private func mismatch(_ value: JSONValue, in path: String) -> Mismatch? {
    let place = path.isEmpty ? "" : " in \(path)"
    guard word.accepts(.value(value)) else {
      return Mismatch(expected: withArticle + place, found: value.typeWithArticle)
    }
    if !isWithinRange(value) || !choices.isEmpty && !choices.contains(value) {
      return Mismatch(expected: withArticle + place, found: Self.shortened(value))
    }
    guard !fields.isEmpty, case .object(let object) = value.plain else { return nil }
    for field in fields {
      guard let part = object[field.name] else {
        return Mismatch(expected: withArticle + place, found: "an object without \(field.name)")
      }
      if let mismatch = field.type.mismatch(part, in: "\(path).\(field.name)") { return mismatch }
    }
    return nil
  }

  private func isWithinRange(_ value: JSONValue) -> Bool {
    guard case .number(let number) = value.plain else { return true }
    return number >= minimum ?? number && number <= maximum ?? number
  }

  /// Returns a scalar in short, and a type for what may be longer.
  private static func shortened(_ value: JSONValue) -> String {
    switch value.plain {
    case .array, .object: return value.typeWithArticle
    case .string(let text) where text.utf8.count > longestShown: return "\"\(text.prefix(longestShown - 10))…\""
    default: return value.description
    }
  }

  /// The longest text that a message shows.
  private static let longestShown = 60
}
