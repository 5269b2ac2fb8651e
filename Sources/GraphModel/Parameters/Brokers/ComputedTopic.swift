import JSON

/// The topic or subject of a message: fixed, or computed from the value below a fixed beginning.
///
/// A computed one is a text in quotes, as expressions have them: `"home/\(.room)"`. Whatever the value is, the result
/// begins with what stands before the first `\(`.
package enum ComputedTopic {
  case fixed(String)
  case computed(GraphExpression, prefix: String)

  /// Reads a topic; `nil` after reporting every error in it.
  ///
  /// - Parameters:
  ///   - word: The kind's own word for it.
  ///   - example: An example of a computed one.
  ///   - problem: Returns the problem in a fixed one.
  static func read(
    _ node: ConfigNode, _ reading: ParameterReading, _ word: String, example: String, problem: (String) -> String?
  ) -> ComputedTopic? {
    let reader = reading.reader(node)
    guard let written = node.scalar?.text, written.drop(while: { $0 == " " }).hasPrefix("\"") else {
      guard let text = reader.text() else { return nil }
      if reader.isOpen { return .fixed(text) }
      if let problem = problem(text) {
        reader.problems.error(problem, at: node)
        return nil
      }
      return .fixed(text)
    }
    guard let expression = GraphExpression.read(node, reading) else { return nil }
    guard let text = reader.expression()?.text, let prefix = prefix(of: text) else {
      reader.problems.error("a computed \(word) is one text in quotes, as in \(example)", at: node)
      return nil
    }
    if prefix.isEmpty {
      reader.problems.error(
        "a computed \(word) begins with a fixed text, so that no value chooses all of it, as in \(example)", at: node)
      return nil
    }
    return .computed(expression, prefix: prefix)
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
