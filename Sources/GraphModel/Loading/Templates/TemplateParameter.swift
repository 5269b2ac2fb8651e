/// A parameter of a template.
struct TemplateParameter: Sendable {
  let key: ConfigNode
  /// The default value; `nil` for a required parameter.
  let initial: ConfigNode?

  var name: String { key.scalar?.text ?? "" }

  /// Names with another meaning in expressions.
  static let reserved = ["signal", "state", "value", "key"]

  /// Checks the form of a parameter's name: lower-case letters, digits and `_`, a letter first.
  ///
  /// Such a word is a valid variable of an expression, and rarely one of the environment.
  static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
      default: false
      }
    }
  }
}
