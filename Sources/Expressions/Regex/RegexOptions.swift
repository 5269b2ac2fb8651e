internal import COnig
internal import JSON

/// The letters that modify a search.
struct RegexOptions {
  /// True if all matches are requested.
  private(set) var isGlobal = false
  /// Oniguruma's options.
  private(set) var bits = ONIG_OPTION_CAPTURE_GROUP

  init(_ letters: JSONValue) throws(ExpressionError) {
    if case .null = letters { return }
    guard let text = letters.asString else { throw .badValue("\(letters.described) is not a string") }
    for letter in text.utf8 {
      switch letter {
      case UInt8(ascii: "g"): isGlobal = true
      case UInt8(ascii: "i"): bits |= ONIG_OPTION_IGNORECASE
      case UInt8(ascii: "x"): bits |= ONIG_OPTION_EXTEND
      case UInt8(ascii: "m"): bits |= ONIG_OPTION_MULTILINE
      case UInt8(ascii: "s"): bits |= ONIG_OPTION_SINGLELINE
      case UInt8(ascii: "p"): bits |= ONIG_OPTION_MULTILINE | ONIG_OPTION_SINGLELINE
      case UInt8(ascii: "l"): bits |= ONIG_OPTION_FIND_LONGEST
      case UInt8(ascii: "n"): bits |= ONIG_OPTION_FIND_NOT_EMPTY
      default: throw .badValue("\(text) is not a valid modifier string")
      }
    }
  }
}
