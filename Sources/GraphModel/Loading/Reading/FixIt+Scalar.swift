extension FixIt {
  /// Replaces a scalar by a word and keeps its quotes; `nil` unless the file contains the scalar verbatim, which that
  /// of a parameter or of a `${…}` is not.
  package init?(replacing node: ConfigNode, with word: String) {
    guard let scalar = node.scalar, Self.isPlain(word), let quote = scalar.style.quote else { return nil }
    self.init(at: node.place, replacing: quote + scalar.text + quote, with: quote + word + quote)
  }

  /// Returns true if a word means the same text in every style.
  private static func isPlain(_ word: String) -> Bool {
    guard word.utf8.allSatisfy({ $0.isLetterOrDigit || "_-./@".utf8.contains($0) }) else { return false }
    return CoreSchema.isString(word) && word.first != "-" && word.first != "@"
  }
}

extension Scalar.Style {
  /// The quote before and after a text in this style; `nil` for the styles of blocks.
  fileprivate var quote: String? {
    switch self {
    case .plain: ""
    case .singleQuoted: "'"
    case .doubleQuoted: "\""
    case .literal, .folded: nil
    }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
