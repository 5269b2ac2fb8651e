import Base

/// The topic or subject of a message: fixed, or computed from the value below a fixed beginning.
///
/// A computed one is a text in quotes, as expressions have them: `"home/\(.room)"`. Whatever the value is, the result
/// begins with what stands before the first `\(`.
package enum ComputedTopic {
  /// - shown: The text without what is secret in it.
  case fixed(String, shown: String)
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
      guard let secret = SecretText(reader, where: SecretText.isHidden) else { return nil }
      let text = secret.text
      let fixed = ComputedTopic.fixed(text, shown: text.hiding(secret.parts))
      if reader.isOpen { return fixed }
      if let problem = problem(text) {
        reader.problems.error(problem, at: node)
        return nil
      }
      if ComputedText.looksComputed(text) {
        reader.problems.warning(
          "the \(word) of all messages is \(text), as it stands here: one that is computed from the value is a text in "
            + "quotes, as in \(example)", at: node)
      }
      return fixed
    }
    guard let expression = GraphExpression.read(node, reading) else { return nil }
    guard let text = reader.expression()?.text, let prefix = ComputedText.prefix(of: text) else {
      reader.problems.error("a computed \(word) is one text in quotes, as in \(example)", at: node)
      return nil
    }
    if prefix.isEmpty {
      reader.problems.error(
        "a computed \(word) begins with a fixed text, so that no value chooses all of it, as in \(example)", at: node)
      return nil
    }
    // A beginning that is wrong whatever follows.
    if let problem = problem(prefix + "0") { reader.problems.unworkable(problem, at: node) }
    return .computed(expression, prefix: prefix)
  }
}
