/// Text from elsewhere in a form that is safe on a terminal: characters that would steer it or begin a line are written
/// out.
extension String {
  /// On one line: each character that steers as JSON writes it, such as `\n` and `\u001b`, so that JSON stays the same.
  package var visible: String { shown { _ in false } }

  /// The same with its tabs kept, which cannot begin a line.
  package var visibleLine: String { shown { $0 == "\t" } }

  /// The same with its lines and tabs kept, for a text that is meant to have several.
  package var visibleLines: String { shown { $0 == "\n" || $0 == "\t" } }

  private func shown(_ isKept: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: { Self.steers($0) && !isKept($0) }) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if !Self.steers(scalar) || isKept(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += Self.names[scalar] ?? String(scalar).utf16.map(Self.number).joined()
      }
    }
    return result
  }

  private static let names: [Unicode.Scalar: String] = ["\n": "\\n", "\t": "\\t", "\r": "\\r"]

  private static func number(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// C0, DEL and C1, and Unicode's separators of lines, marks of direction and invisible characters; but not the two
  /// joiners, without which some scripts and emoji cannot be written.
  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    if 0x20..<0x7f ~= scalar.value || scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }
}
