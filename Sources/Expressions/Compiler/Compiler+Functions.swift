/// Definitions and calls.
extension Compiler {
  /// Compiles the body of a function.
  ///
  /// A function that calls itself is first taken to make one output at most. If its body then turns out to make more,
  /// it is compiled once more without that assumption; deep within others only without.
  func functionBody(_ function: FunctionDefinition, _ sight: Sight) throws(SyntaxFault) -> FunctionBody {
    let mayRepeat = repetitions < 3
    let body = FunctionBody()
    body.isDirect = mayRepeat
    repetitions += 1
    defer { repetitions -= 1 }
    let node = try bodyNode(function, body, sight)
    if node.isDirect || !mayRepeat {
      body.node = node
      body.isDirect = node.isDirect
      return body
    }
    let general = FunctionBody()
    general.node = body.isCalled ? try bodyNode(function, general, sight) : node
    return general
  }

  private func bodyNode(
    _ function: FunctionDefinition, _ body: FunctionBody, _ sight: Sight
  ) throws(SyntaxFault) -> any Node {
    var inner = sight.adding(.function(function.name, function.parameters, body))
    for parameter in function.parameters { inner = inner.adding(.argument(parameter)) }
    return try compile(function.body, inner)
  }

  func call(
    _ name: String, _ arguments: [Syntax], _ range: Range<Int>, _ sight: Sight
  ) throws(SyntaxFault) -> any Node {
    guard let callee = sight.callee(name, arity: arguments.count) else {
      return try builtin(name, arguments, range, sight)
    }
    guard case .function(_, let parameters, let body) = callee.entry else {
      return ClosureNode(hops: sight.depth - callee.depth)
    }
    body.isCalled = true
    let nodes = try compileAll(arguments, sight)
    let passed = zip(nodes, parameters).map { Argument(node: $0, isValue: $1.isValue) }
    return CallNode(body, passed, hops: sight.depth - callee.depth)
  }

  private func builtin(
    _ name: String, _ arguments: [Syntax], _ range: Range<Int>, _ sight: Sight
  ) throws(SyntaxFault) -> any Node {
    guard let builtin = Builtin.named(name, arity: arguments.count) else {
      throw unknownFunction(name, arguments, range, sight)
    }
    if Builtin.searching.contains(builtin.signature) { usesPatterns = true }
    let nodes = try compileAll(arguments, sight)
    switch builtin.implementation {
    case .value(let function): return ValueNode(function)
    case .value1(let function): return ValueNode1(nodes[0], function)
    case .value2(let function): return ValueNode2(nodes[0], nodes[1], function)
    case .value3(let function): return ValueNode3(nodes[0], nodes[1], nodes[2], function)
    case .node(let make): return make(nodes)
    case .definition(let source):
      let (function, body) = try definition(builtin, source)
      let passed = zip(nodes, function).map { Argument(node: $0, isValue: $1.isValue) }
      return CallNode(body, passed, hops: sight.depth)
    }
  }

  /// The body of a builtin that is defined in the language itself; it sees nothing of the expression around.
  private func definition(
    _ builtin: Builtin, _ source: String
  ) throws(SyntaxFault) -> (parameters: [FunctionDefinition.Parameter], body: FunctionBody) {
    let parameters = builtin.parameters.map { name in
      FunctionDefinition.Parameter(
        name: name.hasPrefix("$") ? String(name.dropFirst()) : name, isValue: name.hasPrefix("$"))
    }
    if let body = definitions[builtin.signature] { return (parameters, body) }
    let function = FunctionDefinition(name: builtin.name, parameters: parameters, body: try Parser.parse(source))
    let body = try functionBody(function, Sight(names: nil))
    definitions[builtin.signature] = body
    return (parameters, body)
  }

  private func unknownFunction(
    _ name: String, _ arguments: [Syntax], _ range: Range<Int>, _ sight: Sight
  ) -> SyntaxFault {
    let place = range.lowerBound..<range.lowerBound + name.utf8.count
    if let reason = Omission.functions[name] { return SyntaxFault(message: reason, range: place) }
    let arities = Builtin.all.filter { $0.name == name }.map(\.parameters.count)
    if !arities.isEmpty { return SyntaxFault(message: Self.wrongArity(name, arities, arguments), range: place) }
    let defined = sight.all { entry in
      switch entry {
      case .function(let name, _, _): name
      case .argument(let parameter): parameter.name
      default: nil
      }
    }
    let nearest =
      Suggestion.nearest(to: name, among: defined) ?? Slip.name(for: name)
      ?? Suggestion.nearest(to: name, among: Builtin.all.map(\.name))
    let isMember = nearest == nil && arguments.isEmpty
    let advice = isMember ? "; a member is '.\(name)', a string is '\"\(name)\"'" : ""
    return SyntaxFault(message: "no function \(name)" + advice, range: place, suggestion: nearest)
  }

  private static func wrongArity(_ name: String, _ arities: [Int], _ arguments: [Syntax]) -> String {
    let most = arities.max() ?? 0
    let wanted = arities.map { $0 == 0 ? "no" : String($0) }.joined(separator: " or ")
    let message = "\(name) takes \(wanted) argument\(most == 1 ? "" : "s"), not \(arguments.count)"
    if most == 0 { return message + "; it works on its input: '.a | \(name)'" }
    if arguments.count == 1, case .comma = arguments[0].kind { return message + "; ';' stands between arguments" }
    return message
  }
}
