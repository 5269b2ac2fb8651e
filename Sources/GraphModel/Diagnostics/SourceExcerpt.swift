/// One line of a file with a caret below the columns of a diagnostic.
struct SourceExcerpt {
  let line: Substring
  /// From 1, in Unicode scalars; one past the last scalar is the end of the line.
  let column: Int
  let length: Int

  /// Longer lines are cut, so that a configuration on one line does not fill the terminal.
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

  /// Replaces control characters of the file, which must not reach the terminal, by one column.
  private static func printable(_ scalar: UnicodeScalar) -> String {
    scalar != "\t" && steers(scalar) ? "\u{FFFD}" : String(scalar)
  }

  private static func steers(_ scalar: UnicodeScalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: !isJoiner(scalar)
    default: false
    }
  }

  /// Some scripts and emoji cannot be written without joiners.
  private static func isJoiner(_ scalar: UnicodeScalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

  /// Tabs stay tabs, so that the caret is in the right column at any tab width.
  private static func blank(_ scalar: UnicodeScalar) -> String {
    scalar == "\t" ? "\t" : String(repeating: " ", count: columns(of: scalar))
  }

  /// The width of a scalar on a terminal: 0 for combining marks, 2 for East Asian wide characters.
  private static func columns(of scalar: UnicodeScalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: 0
    case .format: isJoiner(scalar) ? 0 : 1
    default: isWide(scalar) ? 2 : 1
    }
  }

  /// The blocks that Unicode's EastAsianWidth.txt lists as wide or full width, without their exceptions.
  private static func isWide(_ scalar: UnicodeScalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
