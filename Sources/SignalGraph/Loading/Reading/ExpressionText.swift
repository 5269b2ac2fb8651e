/// The text of an expression, and the places of its columns.
package struct ExpressionText: Sendable, Placed {
  package let text: String
  package let node: ConfigNode

  package var place: Place { node.place }
  package var length: Int { node.length }

  /// The place of the byte at an offset in the text, as exact as the way it was written allows.
  package func place(ofByte offset: Int) -> Place { node.place(ofByte: offset) }
}

extension Reader {
  /// An expression: a scalar, taken as it is, without replacing `${…}`.
  package func expression() -> ExpressionText? {
    guard let scalar = node.scalar else {
      let kind = node.entries == nil ? "a list" : "a mapping"
      problems.error("an expression, not \(kind), belongs here; write it in quotes: \(node.quotedExpression)", at: node)
      return nil
    }
    guard !scalar.text.utf8.allSatisfy({ $0 <= UInt8(ascii: " ") }) else {
      problems.error("an expression is missing", at: node)
      return nil
    }
    return ExpressionText(text: scalar.text, node: node)
  }
}
