/// One line of a file with a caret below the columns that a diagnostic is about.
struct SourceExcerpt {
  let line: Substring
  /// From 1, in Unicode scalars; one past the last is the end of the line.
  let column: Int
  let length: Int

  /// Longer lines are shown in part, so that a configuration on one line does not fill the terminal.
  private static let width = 160

  var lines: [String] {
    let scalars = Array(line.unicodeScalars)
    let start = min(column - 1, scalars.count)
    let first = start > Self.width * 3 / 4 ? start - Self.width / 4 : 0
    let last = min(scalars.count, first + Self.width)
    let shown = scalars[first..<last].map(Self.printable)
    let before = scalars[first..<start].map(Self.blank)
    let marked = scalars[start..<min(start + length, last)].map(Self.columns).reduce(0, +)
    let (head, tail) = (first > 0 ? "…" : "", last < scalars.count ? "…" : "")
    return [
      "  " + head + shown.joined() + tail,
      "  " + (head.isEmpty ? "" : " ") + before.joined() + "^" + String(repeating: "~", count: max(marked, 1) - 1),
    ]
  }

  /// A character from the file that steers must not reach the terminal, and takes one column.
  private static func printable(_ scalar: Unicode.Scalar) -> String {
    scalar != "\t" && steers(scalar) ? "\u{FFFD}" : String(scalar)
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: !isJoiner(scalar)
    default: false
    }
  }

  /// Some scripts and emoji cannot be written without.
  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

  /// Tabs stay tabs, so that the caret stands right at any width of tabs.
  private static func blank(_ scalar: Unicode.Scalar) -> String {
    scalar == "\t" ? "\t" : String(repeating: " ", count: columns(of: scalar))
  }

  /// The number of columns that a scalar takes on a terminal: none for combining marks, two for East Asian wide ones.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: 0
    case .format: isJoiner(scalar) ? 0 : 1
    default: isWide(scalar) ? 2 : 1
    }
  }

  /// The blocks that Unicode's EastAsianWidth.txt gives as wide or full width, without their exceptions.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
