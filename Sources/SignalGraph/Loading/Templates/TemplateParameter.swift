/// A parameter of a template.
struct TemplateParameter: Sendable {
  let key: ConfigNode
  /// Its value where a use gives none; `nil` if each use must.
  let initial: ConfigNode?

  var name: String { key.scalar?.text ?? "" }

  /// Names that expressions give another meaning to.
  static let reserved = ["signal", "state", "value", "key"]

  /// Whether it can be the name of a parameter: small letters, digits and `_`, a letter first.
  ///
  /// Such a word can be a variable of an expression, and is seldom one of the environment.
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
