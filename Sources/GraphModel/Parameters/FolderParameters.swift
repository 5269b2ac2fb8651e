// The parameters of the source `watch`.

/// A pattern of paths below a watched folder.
package struct FilePattern: ParameterValue {
  package let text: String

  package init(text: String) { self.text = text }

  package static var typeName: String { "a pattern of paths below the folder" }
  package static var shape: ParameterShape { .text }
  package var defaultText: String? { "'\(text)'" }

  private static let greatestCount = 32

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> FilePattern? {
    let reader = reading.reader(node)
    guard let text = reader.text() else { return nil }
    if reader.isOpen { return FilePattern(text: text) }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard !text.utf8.contains(0), parts.allSatisfy({ !["", ".", ".."].contains($0) }), parts.count <= greatestCount
    else {
      reader.refuse(expected: "\(typeName), such as '*.c' or '**/*.c': at most \(greatestCount) parts without . and ..")
      return nil
    }
    if let part = parts.first(where: { $0.contains("**") && $0 != "**" }) {
      reading.reader.problems.error("\"\(part)\" in a pattern: ** must be a whole part, as in '**/*.c'", at: node)
      return nil
    }
    if let part = parts.first(where: { $0.hasOpenBracket }) {
      reading.reader.problems.warning(
        "\"\(part)\" in a pattern: the [ has no ], so it stands for itself; write [[] for a literal one", at: node)
    }
    return FilePattern(text: text)
  }
}

extension StringProtocol {
  /// True if a `[` in a part of a pattern is not closed: `fnmatch(3)` takes it literally then.
  package var hasOpenBracket: Bool {
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\") {
        _ = rest.popFirst()
      } else if byte == UInt8(ascii: "[") {
        // A ] at the beginning, and one after the sign of a negation, belongs to the characters.
        if let sign = rest.first, "!^".utf8.contains(sign) { rest = rest.dropFirst() }
        guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "]")) else { return true }
        rest = rest[(end + 1)...]
      }
    }
    return false
  }
}

/// The events of files that a signal emits.
package struct FileEvents: ParameterValue {
  package let words: [String]

  package static let all = FileEvents(words: ["created", "changed", "removed"])

  package static var typeName: String { "one or several of \(all.words.joined(separator: ", "))" }
  package static var shape: ParameterShape { .textOrTexts }
  package var defaultText: String? { "[\(words.joined(separator: ", "))]" }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> FileEvents? {
    let readers = reading.reader(node).oneOrList()
    let words = readers.compactMap { $0.choice(of: all.words) }
    guard words.count == readers.count else { return nil }
    guard !words.isEmpty else {
      reading.reader(node).refuse(expected: typeName)
      return nil
    }
    return FileEvents(words: words)
  }
}
