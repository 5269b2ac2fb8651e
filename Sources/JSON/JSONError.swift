/// The fault of a text that is not valid JSON.
package struct JSONError: Error, Equatable {
  package enum Kind: Sendable {
    /// Not JSON (RFC 8259, UTF-8).
    case syntax
    /// JSON with a refused number or string: one that cannot be represented, or half a character.
    case badValue
    /// Nested deeper than allowed, counted over the whole text.
    case tooDeep
  }

  package let kind: Kind
  /// The first byte, counted from 0, at which the text is certainly invalid.
  package let offset: Int
  package let message: String

  package init(_ kind: Kind, offset: Int, _ message: String) {
    self.kind = kind
    self.offset = offset
    self.message = message
  }
}
