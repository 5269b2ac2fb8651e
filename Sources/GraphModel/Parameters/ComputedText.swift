import JSON

/// The texts in quotes that expressions compute: `"home/\(.room)"`.
enum ComputedText {
  /// Returns true for a fixed text that was probably meant to be computed.
  static func looksComputed(_ text: String) -> Bool {
    text.contains("\\(") || text.hasPrefix(".") && text.utf8.dropFirst().first.map(\.beginsName) == true
  }

  /// Returns what stands before the first `\(` of a text in quotes; `nil` for an expression that is not one such text.
  static func prefix(of expression: String) -> String? {
    var rest = expression.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }[...]
    guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    var written: [UInt8]? = [UInt8(ascii: "\"")]
    var prefix: [UInt8]?
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") {
        guard rest.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }) else { return nil }
        return text(of: prefix ?? written ?? [])
      }
      guard byte == UInt8(ascii: "\\") else {
        written?.append(byte)
        continue
      }
      guard let next = rest.popFirst() else { return nil }
      if next == UInt8(ascii: "(") {
        if prefix == nil { prefix = written }
        written = nil
        guard skipInterpolation(&rest) else { return nil }
      } else {
        written?.append(byte)
        written?.append(next)
      }
    }
    return nil
  }

  /// Skips an expression within a text up to its closing parenthesis; texts in it may contain others.
  private static func skipInterpolation(_ rest: inout Substring.UTF8View) -> Bool {
    var depth = 1
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return true }
      case UInt8(ascii: "\""):
        guard skipText(&rest) else { return false }
      default: break
      }
    }
    return false
  }

  private static func skipText(_ rest: inout Substring.UTF8View) -> Bool {
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return true }
      guard byte == UInt8(ascii: "\\") else { continue }
      guard let next = rest.popFirst() else { return false }
      if next == UInt8(ascii: "("), !skipInterpolation(&rest) { return false }
    }
    return false
  }

  /// Returns the text that a literal without its closing quote stands for.
  private static func text(of literal: [UInt8]) -> String? {
    let whole = literal + [UInt8(ascii: "\"")]
    guard case .string(let text)? = try? JSONParser.value(onThisThread: whole.span).plain else { return nil }
    return text
  }
}

extension UInt8 {
  /// True for the first character of a name.
  fileprivate var beginsName: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self == UInt8(ascii: "_")
  }
}
