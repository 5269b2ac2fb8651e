internal import JSON

/// The text of several values with separators between, within the bounds of an evaluation.
struct FieldList {
  private(set) var text = ""
  private let separator: String
  private let environment: Environment
  private var isEmpty = true

  init(separator: String, _ environment: Environment) {
    self.separator = separator
    self.environment = environment
  }

  /// Adds one value as text.
  mutating func append(
    _ value: JSONValue, as field: (JSONValue) throws(ExpressionError) -> String
  ) throws(ExpressionError) {
    try environment.step()
    try environment.charge(characters: value.asString?.utf8.count ?? 0)
    let next = try field(value)
    try environment.allow(bytes: text.utf8.count + separator.utf8.count + next.utf8.count, copied: next.utf8.count)
    if !isEmpty { text += separator }
    text += next
    isEmpty = false
  }
}
