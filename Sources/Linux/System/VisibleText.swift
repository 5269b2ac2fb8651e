/// Text of others as it may be shown on a terminal: what would steer it, or begin a line, is written out instead.
extension String {
  /// On one line: every control character as JSON writes it, such as `\n` and `\u001b`.
  package var visible: String { shown { _ in false } }

  /// The same with its lines and tabs kept.
  package var visibleLines: String { shown { $0 == "\n" || $0 == "\t" } }

  private func shown(_ isKept: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: { Self.isControl($0) && !isKept($0) }) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if !Self.isControl(scalar) || isKept(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += Self.names[scalar] ?? Self.number(scalar)
      }
    }
    return result
  }

  private static let names: [Unicode.Scalar: String] = ["\n": "\\n", "\t": "\\t", "\r": "\\r"]

  private static func number(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// C0, DEL and C1, and what Unicode has to part lines.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: true
    default: false
    }
  }
}
