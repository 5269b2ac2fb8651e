/// A replacement of text on one line of a file that corrects a diagnostic.
package struct FixIt: Sendable, Equatable {
  /// The start of the text to replace.
  package let place: Place
  /// The text to replace, as the file contains it.
  package let original: String
  package let replacement: String

  /// Replaces the text at a place; `nil` if it is not there.
  init?(at place: Place, replacing original: String, with replacement: String) {
    guard let line = place.source.line(place.line), !original.isEmpty,
      line.unicodeScalars.dropFirst(place.column - 1).starts(with: original.unicodeScalars)
    else { return nil }
    self.place = place
    self.original = original
    self.replacement = replacement
  }
}
