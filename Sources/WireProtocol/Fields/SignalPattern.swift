package import JSON

/// The name of a signal, or a pattern of names in which `*` matches one segment.
///
/// A name must have as many segments as the pattern: `g.*` covers `g.fan` and not `g.fan.values`.
package struct SignalPattern: FieldValue, Hashable {
  package static var expectation: String {
    "a signal's name or a pattern such as \"climate.*\", in which * matches one whole segment"
  }

  package let text: String
  /// The segments of a pattern, `nil` for `*`; empty for a plain name.
  private let parts: [String?]

  /// True for a single signal's name.
  package var isName: Bool { parts.isEmpty }

  /// The initial value of a request's field.
  static let unset = SignalPattern()

  private init() {
    text = ""
    parts = []
  }

  /// - Returns: `nil` for an empty text, or if `*` is less than a whole segment.
  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    guard text.utf8.contains(UInt8(ascii: "*")) else {
      parts = []
      return
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0 == "*" || !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: "*")) }) else { return nil }
    self.parts = parts.map { $0 == "*" ? nil : String($0) }
  }

  package init?(field: RawJSON) {
    guard let text = String(field: field) else { return nil }
    self.init(text)
  }

  package func matches(_ name: String) -> Bool {
    if isName { return name.hasSameBytes(as: text) }
    let nameParts = name.split(separator: ".", omittingEmptySubsequences: false)
    return nameParts.count == parts.count
      && zip(parts, nameParts).allSatisfy { part, namePart in part.map { String(namePart).hasSameBytes(as: $0) } ?? true
      }
  }

  package func write(to writer: inout JSONWriter) { writer.write(text) }
}
