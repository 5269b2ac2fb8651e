package import JSON

/// A signal's name, or a pattern of names in which `*` stands for one part.
///
/// A name must have as many parts as the pattern: `g.*` covers `g.fan` and not `g.fan.values`.
package struct SignalPattern: FieldValue, Hashable {
  package static var expectation: String {
    "a signal's name or a pattern such as \"climate.*\", in which * stands for one whole part"
  }

  package let text: String
  /// The parts of a pattern, `nil` for `*`; none for a plain name.
  private let parts: [String?]

  /// Whether it stands for a single signal.
  package var isName: Bool { parts.isEmpty }

  /// The value of a request before its field is read.
  static let unset = SignalPattern()

  private init() {
    text = ""
    parts = []
  }

  /// - Returns: `nil` for an empty text and where `*` is less than a whole part.
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
