internal import Base
package import JSON

/// The name of a signal, or a pattern of names in which `*` matches one segment, or a part of one.
///
/// A name must have as many segments as the pattern: `g.*` covers `g.fan` and not `g.fan.values`. Beside other characters `*`
/// matches any number of characters of the segment, also none: `g.*_load` covers `g.cpu_load`.
package struct SignalPattern: FieldValue, Hashable {
  package static var expectation: String {
    "a signal's name or a pattern such as \"climate.*\", in which * matches a segment or a part of one"
  }

  package let text: String
  /// The segments of a pattern; empty for a plain name.
  private let parts: [Segment]

  /// A segment: the texts between its wildcards, one if it has none.
  private struct Segment: Hashable {
    let texts: [[UInt8]]

    /// - Returns: `nil` for an empty segment, or for wildcards side by side.
    init?(_ text: Substring) {
      texts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
      if text.isEmpty || texts.dropFirst().dropLast().contains([]) { return nil }
    }

    /// Takes the first place of each text between the wildcards, which leaves the most for those after it.
    func matches(_ name: Substring.UTF8View) -> Bool {
      guard let first = texts.first, let last = texts.last, texts.count > 1 else {
        return name.elementsEqual(texts.first ?? [])
      }
      guard name.count >= first.count + last.count, name.starts(with: first),
        name.suffix(last.count).elementsEqual(last)
      else { return false }
      var rest = name.dropFirst(first.count).dropLast(last.count)
      for text in texts.dropFirst().dropLast() {
        while !rest.starts(with: text) {
          guard rest.popFirst() != nil else { return false }
        }
        rest = rest.dropFirst(text.count)
      }
      return true
    }
  }

  /// True for a single signal's name.
  package var isName: Bool { parts.isEmpty }

  /// The initial value of a request's field.
  static let unset = SignalPattern()

  private init() {
    text = ""
    parts = []
  }

  /// - Returns: `nil` for an empty text, an empty segment beside a wildcard, or wildcards side by side.
  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    guard text.utf8.contains(UInt8(ascii: "*")) else {
      parts = []
      return
    }
    let segments = text.split(separator: ".", omittingEmptySubsequences: false)
    let parts = segments.compactMap { Segment($0) }
    guard parts.count == segments.count else { return nil }
    self.parts = parts
  }

  package init?(field: RawJSON) {
    guard let text = String(field: field) else { return nil }
    self.init(text)
  }

  package func matches(_ name: String) -> Bool {
    if isName { return name.hasSameBytes(as: text) }
    let nameParts = name.split(separator: ".", omittingEmptySubsequences: false)
    return nameParts.count == parts.count
      && zip(parts, nameParts).allSatisfy { part, name in part.matches(name.utf8) }
  }

  package func write(to writer: inout JSONWriter) { writer.write(text) }
}
