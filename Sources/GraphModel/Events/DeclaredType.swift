package import JSON

/// The type of the values sent to a signal: a word, which a range, an enumeration, fields or items may narrow.
package struct DeclaredType: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    package let name: String
    package let type: DeclaredType
    /// True if an object may lack it.
    package let isOptional: Bool
  }

  package let word: ValueType
  package let minimum: Double?
  package let maximum: Double?
  /// The only accepted values; empty if there are others.
  package let choices: [JSONValue]
  /// The fields of an object that have a type, in the order of the file.
  package let fields: [Field]
  /// The type of the items of an array, in a list, since a type cannot contain itself; empty if they may be anything.
  private let itemTypes: [DeclaredType]

  package init(
    _ word: ValueType, minimum: Double? = nil, maximum: Double? = nil, choices: [JSONValue] = [], fields: [Field] = [],
    items: DeclaredType? = nil
  ) {
    (self.word, self.minimum, self.maximum) = (word, minimum, maximum)
    (self.choices, self.fields) = (choices, fields)
    itemTypes = items.map { [$0] } ?? []
  }

  package static let any = DeclaredType(.any)

  /// The type of the items of an array; `nil` if they may be anything.
  package var items: DeclaredType? { itemTypes.first }

  /// The range, if both ends are declared and differ.
  package var range: ClosedRange<Double>? {
    guard let minimum, let maximum, minimum < maximum else { return nil }
    return minimum...maximum
  }

  /// True if the word alone decides.
  var isPlain: Bool { minimum == nil && maximum == nil && choices.isEmpty && fields.isEmpty && items == nil }

  /// The type with its article, "a number from 0 to 30", for messages.
  package var withArticle: String {
    if !choices.isEmpty {
      let texts =
        choices.prefix(Self.mostShown).map(\.shortened) + (choices.count > Self.mostShown ? ["…"] : [])
      return "one of \(texts.joined(separator: ", "))"
    }
    let required = fields.filter { !$0.isOptional }
    if !required.isEmpty {
      return "an object with the field\(required.count == 1 ? "" : "s") \(required.map(\.name).joined(separator: ", "))"
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
}
