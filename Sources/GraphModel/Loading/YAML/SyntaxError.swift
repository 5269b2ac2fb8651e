import Base

/// An error that ends the reading of a file, since the remaining text is ambiguous.
struct SyntaxError: Error {
  let diagnostic: Diagnostic

  init(_ message: String, at place: some Placed, related: Diagnostic.Related? = nil) {
    diagnostic = Diagnostic(.error, message, at: place.place, length: place.length, related: related)
  }

  /// Returns the error for an invisible character that would silently become part of a text.
  static func invisible(_ character: InvisibleCharacter, at place: some Placed) -> SyntaxError {
    SyntaxError("\(character) counts as text; use a plain space, or none", at: place)
  }
}
