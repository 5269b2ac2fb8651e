import JSON

/// The text of an expression and the places of its columns.
package struct ExpressionText: Sendable, Placed {
  package let text: String
  package let node: ConfigNode
  /// The number of bytes before the node's text: a prefix that binds the parameters of a template.
  private let preamble: Int

  init(_ node: ConfigNode, _ text: String, preamble: String = "") {
    self.text = preamble + text
    self.node = node
    self.preamble = preamble.utf8.count
  }

  package var place: Place { node.place }
  package var length: Int { node.length }

  /// The place of the byte at an offset in the text, as exact as the scalar's style permits.
  package func place(ofByte offset: Int) -> Place { node.place(ofByte: max(0, offset - preamble)) }
}

extension Reader {
  /// Reads an expression: a scalar, taken verbatim, without replacing `${…}`.
  package func expression() -> ExpressionText? {
    guard let parameterised = node.parameterised else { return plainExpression() }
    let reader = Reader(parameterised.written, context)
    guard let expression = reader.expression(parameterised.arguments) else { return nil }
    context.note(expression.text, for: parameterised)
    return expression
  }

  private func plainExpression() -> ExpressionText? {
    guard let scalar = node.scalar else {
      let kind = node.entries == nil ? "a list" : "a mapping"
      problems.error("expected an expression, found \(kind); write it in quotes: \(node.quotedExpression)", at: node)
      return nil
    }
    guard !scalar.text.utf8.allSatisfy({ $0 <= UInt8(ascii: " ") }) else {
      problems.error("missing expression", at: node)
      return nil
    }
    return ExpressionText(node, scalar.text)
  }

  /// Reads an expression of a template: parameters are variables in it, or the whole expression is one argument.
  private func expression(_ arguments: TemplateArguments) -> ExpressionText? {
    guard let text = node.scalar?.text, let parts = ParameterText(text) else { return plainExpression() }
    if let name = parts.soleParameter, let argument = arguments[name] {
      return argument.isOpen ? ExpressionText(node, ".") : Reader(argument.node, context).expression()
    }
    if let name = parts.references.first {
      problems.error(
        "a parameter is a variable in an expression: write $\(name); only a whole expression can be \"${\(name)}\"",
        at: node)
      return nil
    }
    var preamble = ""
    for name in arguments.names where parts.mentioned.contains(name) {
      guard let argument = arguments[name] else { continue }
      guard let value = argument.isOpen ? .null : value(of: argument.node, name) else { return nil }
      preamble += "\(value) as $\(name) | "
    }
    return ExpressionText(node, text, preamble: preamble)
  }

  /// Returns the value of a parameter for an expression, which has no access to the environment.
  private func value(of argument: ConfigNode, _ name: String) -> JSONValue? {
    guard !argument.hasReferences else {
      problems.error(
        "the value of $\(name) contains \"${…}\", but expressions cannot read the environment", at: argument,
        related: .init("$\(name) stands here", at: node))
      return nil
    }
    return Reader(argument, context).value()
  }
}
