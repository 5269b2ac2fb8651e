/// The fault of a text that should have been JSON.
package struct JSONError: Error, Equatable {
  package enum Kind: Sendable {
    /// Not JSON (RFC 8259, UTF-8).
    case syntax
    /// JSON with a number or a string that is refused: outside of what the value can hold, or half a character.
    case badValue
    /// Nested deeper than allowed, counted over the whole text.
    case tooDeep
  }

  package let kind: Kind
  /// The first byte, counted from 0, at which the text cannot be right any more.
  package let offset: Int
  package let message: String

  package init(_ kind: Kind, offset: Int, _ message: String) {
    self.kind = kind
    self.offset = offset
    self.message = message
  }
}
