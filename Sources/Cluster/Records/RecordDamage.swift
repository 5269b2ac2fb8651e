/// The reason why bytes are no record: what was expected at a place of them, and what stands there.
package struct RecordDamage: Error, Equatable, Sendable, CustomStringConvertible {
  /// The offset of the first byte that differs, or the offset at which bytes are missing.
  package let offset: Int
  package let expected: String
  package let found: String

  package init(at offset: Int, expected: String, found: String) {
    self.offset = offset
    self.expected = expected
    self.found = found
  }

  package var description: String { "byte \(offset): expected \(expected), found \(found)" }
}
