/// Text with roles for its parts; the program that displays it chooses the styles.
package struct MarkedText: Equatable, Sendable, ExpressibleByStringLiteral {
  package enum Mark: Sendable {
    case error, warning, success
    /// A name or a heading.
    case title
    case aside
  }

  package struct Part: Equatable, Sendable {
    package let text: String
    package let mark: Mark?
  }

  package private(set) var parts: [Part]

  package init(_ text: String, _ mark: Mark? = nil) { parts = [Part(text: text, mark: mark)] }

  package init(stringLiteral text: String) { self.init(text) }

  package static func + (left: MarkedText, right: MarkedText) -> MarkedText {
    var sum = left
    sum.parts += right.parts
    return sum
  }

  /// The text alone.
  package var plain: String { parts.map(\.text).joined() }

  /// Returns a copy with the text of each part transformed.
  package func mapTexts(_ transform: (String) -> String) -> MarkedText {
    var text = self
    text.parts = parts.map { Part(text: transform($0.text), mark: $0.mark) }
    return text
  }
}
