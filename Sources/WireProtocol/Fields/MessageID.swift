internal import Base
package import JSON

/// A client's identifier for a message, so that sending it again has no effect.
package struct MessageID: FieldValue, Hashable {
  package static var expectation: String { "a string of 1 to \(longest) bytes" }

  /// The longest id, in bytes of UTF-8.
  package static let longest = 128

  package let text: String

  /// - Returns: `nil` for an empty text or one that is too long.
  package init?(_ text: String) {
    guard 1...Self.longest ~= text.utf8.count else { return nil }
    self.text = text
  }

  package init?(field: RawJSON) {
    guard let text = String(field: field) else { return nil }
    self.init(text)
  }

  package func write(to writer: inout JSONWriter) { writer.write(text) }

  /// Equality is that of the bytes, not that of Unicode.
  package static func == (one: MessageID, other: MessageID) -> Bool { one.text.hasSameBytes(as: other.text) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
