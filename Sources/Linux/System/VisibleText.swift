/// Text in a form that is safe for terminals: control characters and line breaks are escaped.
extension String {
  /// The text on one line: control characters are escaped as in JSON, such as `\n` and `\u001b`, so that JSON stays
  /// equivalent.
  package var visible: String { shown { _ in false } }

  /// The text on one line with tabs preserved.
  package var visibleLine: String { shown { $0 == "\t" } }

  /// The text with line breaks and tabs preserved.
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

  /// Selects C0, DEL and C1, Unicode's line separators, direction marks and invisible characters, except the two
  /// joiners, which some scripts and emoji require.
  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    if 0x20..<0x7f ~= scalar.value || scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }
}
