/// The text of a file of the configuration, by its name.
struct SourceText: Sendable {
  let name: String
  let text: String

  /// Longer declarations are not returned as they were written.
  private static let mostBytes = 16 << 10

  /// Returns the lines of an entry of a block mapping with the comments above it, without their indentation; `nil` if it does
  /// not begin its line.
  ///
  /// - Parameters:
  ///   - line: The line of its key, from 1.
  ///   - column: The column of its key, from 1.
  func entry(line: Int, column: Int) -> String? {
    let lines = text.split(
      maxSplits: line + Self.mostBytes, omittingEmptySubsequences: false, whereSeparator: Self.isLineEnd)
    guard !name.hasSuffix(".json"), lines.indices.contains(line - 1) else { return nil }
    let indent = column - 1
    guard lines[line - 1].prefix(while: { $0 == " " }).count == indent else { return nil }
    var (first, last) = (line - 1, line - 1)
    while first > 0, Self.isComment(lines[first - 1], indentedBy: indent) { first -= 1 }
    // Comments and blank lines belong to it if something of it follows.
    for index in line..<lines.count {
      let text = lines[index].drop { $0 == " " }
      if text.isEmpty || text.first == "#" { continue }
      let isInside = lines[index].count - text.count > indent
      guard isInside || "}]".contains(text.first ?? " ") else { break }
      last = index
    }
    let entry = lines[first...last].map { line in
      line.dropFirst(min(indent, line.prefix { $0 == " " }.count)).trimmingSuffix { $0.isWhitespace }
    }.joined(separator: "\n")
    return entry.utf8.count <= Self.mostBytes ? entry : nil
  }

  /// Indicates that a character ends a line, as in YAML 1.2; a carriage return with its line feed is one character.
  private static func isLineEnd(_ character: Character) -> Bool {
    character == "\n" || character == "\r\n" || character == "\r"
  }

  private static func isComment(_ line: Substring, indentedBy indent: Int) -> Bool {
    let text = line.drop { $0 == " " }
    return text.first == "#" && line.count - text.count == indent
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while isBlank: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
