package import JSON

/// The name that a client gives to what it sends, so that sending it again does nothing more.
package struct MessageID: FieldValue, Hashable {
  package static var expectation: String { "a string of 1 to \(longest) bytes" }

  /// The most bytes of UTF-8 that it may have.
  package static let longest = 128

  package let text: String

  /// - Returns: `nil` for an empty text, and one that is too long.
  package init?(_ text: String) {
    guard 1...Self.longest ~= text.utf8.count else { return nil }
    self.text = text
  }

  package init?(field: RawJSON) {
    guard let text = String(field: field) else { return nil }
    self.init(text)
  }

  package func write(to writer: inout JSONWriter) { writer.write(text) }

  /// Two that only look alike are two: the bytes decide.
  package static func == (one: MessageID, other: MessageID) -> Bool { one.text.hasSameBytes(as: other.text) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
