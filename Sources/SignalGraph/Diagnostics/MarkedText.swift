/// A text of which parts may stand out where somebody reads it; what that looks like is for the one who shows it.
package struct MarkedText: Equatable, Sendable, ExpressibleByStringLiteral {
  /// What a part is to the reader.
  package enum Mark: Sendable {
    case error, warning, success
    /// What names something, or stands above others.
    case title
    /// What is said beside the point.
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

  /// The same with each part's text made into another one.
  package func mapTexts(_ transform: (String) -> String) -> MarkedText {
    var text = self
    text.parts = parts.map { Part(text: transform($0.text), mark: $0.mark) }
    return text
  }
}
