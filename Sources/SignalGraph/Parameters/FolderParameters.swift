// The parameters of the source `watch`.

/// A pattern of paths below a watched folder.
struct FilePattern: ParameterValue {
  let text: String

  static var typeName: String { "a pattern of paths below the folder" }
  static var shape: ParameterShape { .text }
  var defaultText: String? { "'\(text)'" }

  private static let greatestCount = 32

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> FilePattern? {
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
    return FilePattern(text: text)
  }
}

/// The events of files that a signal emits.
struct FileEvents: ParameterValue {
  let words: [String]

  static let all = FileEvents(words: ["created", "changed", "removed"])

  static var typeName: String { "one or several of \(all.words.joined(separator: ", "))" }
  static var shape: ParameterShape { .textOrTexts }
  var defaultText: String? { "[\(words.joined(separator: ", "))]" }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> FileEvents? {
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
