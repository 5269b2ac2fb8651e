/// Text wrapped at spaces, so that terminals do not break words.
package enum WrappedText {
  /// Wraps the lines of a text to a width, where they contain spaces.
  ///
  /// - Parameter width: `nil` for no wrapping.
  package static func text(_ text: String, width: Int?) -> String {
    guard let width else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { lines(String($0), width: width) }.joined(separator: "\n")
  }

  /// Refills paragraphs; those with indented lines keep their lines.
  package static func paragraphs(_ text: String, width: Int?) -> String {
    guard let width else { return text }
    let paragraphs = text.split(separator: "\n\n", omittingEmptySubsequences: false).map { paragraph in
      let isPlain = !paragraph.split(separator: "\n").contains { $0.hasPrefix(" ") }
      return Self.text(isPlain ? String(paragraph).replacing("\n", with: " ") : String(paragraph), width: width)
    }
    return paragraphs.joined(separator: "\n\n")
  }

  /// Wraps a line; continuation lines are indented to its last column.
  ///
  /// - Parameter column: The start of that column; by default detected from the gap before it.
  package static func lines(_ line: String, width: Int, column: Int? = nil) -> [String] {
    var rest = Array(line)
    guard rest.count > width else { return [line] }
    let indent = column ?? lastColumn(rest, width)
    var lines: [String] = []
    while rest.count > width, let blank = place(in: rest, indent, width) {
      lines.append(String(String(rest[..<blank]).reversed().drop { $0 == " " }.reversed()))
      rest = Array(repeating: " ", count: indent) + rest[blank...].drop { $0 == " " }
    }
    return lines + [String(rest)]
  }

  /// Returns the last space within the width after some text, or the first one beyond.
  private static func place(in line: [Character], _ indent: Int, _ width: Int) -> Int? {
    guard let start = line.indices.first(where: { $0 >= indent && line[$0] != " " }) else { return nil }
    let fitting = start <= width ? line[start...min(width, line.count - 1)].lastIndex(of: " ") : nil
    return fitting ?? line[start...].firstIndex(of: " ")
  }

  /// Returns the position after the last gap of two or more spaces in the first half of the width, or the start of the
  /// text.
  private static func lastColumn(_ line: [Character], _ width: Int) -> Int {
    let half = line.indices.prefix(width / 2).dropFirst(2)
    let column = half.last { line[$0] != " " && line[$0 - 1] == " " && line[$0 - 2] == " " }
    return column ?? line.firstIndex { $0 != " " } ?? 0
  }
}
