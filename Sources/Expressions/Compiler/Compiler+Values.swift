internal import JSON

/// Paths, strings, arrays and objects.
extension Compiler {
  func path(_ syntax: Syntax, _ sight: Sight) throws(SyntaxFault) -> any Node {
    switch syntax.kind {
    case .index(let target, let key, let isOptional):
      let target = try compile(target, sight)
      let key = try compile(key, sight)
      if let name = (key as? ConstantNode)?.value.asString { return FieldNode(target, name, isOptional: isOptional) }
      return IndexNode(target, key, isOptional: isOptional)
    case .slice(let target, let start, let end, let isOptional):
      return SliceNode(
        try compile(target, sight), from: try bound(start, sight), upTo: try bound(end, sight), isOptional: isOptional)
    case .iterate(let target, let isOptional): return IterateNode(try compile(target, sight), isOptional: isOptional)
    default: preconditionFailure("not a path")
    }
  }

  private func bound(_ syntax: Syntax?, _ sight: Sight) throws(SyntaxFault) -> any Node {
    try syntax.map { syntax throws(SyntaxFault) in try compile(syntax, sight) } ?? ConstantNode(.null)
  }

  func string(_ parts: [StringPart], _ format: String?, _ sight: Sight) throws(SyntaxFault) -> any Node {
    let parts = try parts.map { part throws(SyntaxFault) -> StringNode.Part in
      switch part {
      case .text(let text): .text(text)
      case .interpolation(let syntax): .node(try compile(syntax, sight))
      }
    }
    return StringNode(parts, format: format.flatMap(TextFormat.init) ?? .text)
  }

  /// Folds the negation of a number into a literal.
  func negation(_ operand: any Node) -> any Node {
    if let number = (operand as? ConstantNode)?.value.asNumber { return ConstantNode(.number(-number)) }
    return NegateNode(operand)
  }

  /// Folds an array of literals into a literal.
  func array(_ items: (any Node)?) -> any Node {
    guard let items else { return ConstantNode(.array([])) }
    if let item = items as? ConstantNode { return ConstantNode(.array([item.value])) }
    if let constants = (items as? CommaNode)?.constants { return ConstantNode(.array(constants)) }
    return ArrayNode(items)
  }

  func object(_ entries: [ObjectEntry], _ sight: Sight) throws(SyntaxFault) -> any Node {
    let compiled = try entries.map { entry throws(SyntaxFault) -> ObjectNode.Entry in
      let key = try key(entry.key, sight)
      if let value = entry.value { return ObjectNode.Entry(key: key, value: try compile(value, sight)) }
      if let name = (key as? ConstantNode)?.value.asString {
        return ObjectNode.Entry(key: key, value: FieldNode(IdentityNode.shared, name, isOptional: false))
      }
      return ObjectNode.Entry(key: key, value: IndexNode(IdentityNode.shared, key, isOptional: false))
    }
    return ObjectNode(compiled)
  }

  /// Compiles the key of a member; a literal that is not a string is a fault.
  func key(_ syntax: Syntax, _ sight: Sight) throws(SyntaxFault) -> any Node {
    let key = try compile(syntax, sight)
    if let literal = (key as? ConstantNode)?.value, literal.asString == nil {
      throw SyntaxFault(message: "an object's key must be a string, not \(literal.typeName)", range: syntax.range)
    }
    return key
  }
}
