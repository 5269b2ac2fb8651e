internal import Base
internal import JSON

/// Definitions and calls.
extension Compiler {
  /// Compiles the body of a function.
  ///
  /// A recursive function is first assumed to produce at most one output. If its body can produce more, it is compiled
  /// again without that assumption; deeply nested functions are compiled only without it.
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
      throw unknown(name, arguments, range, sight)
    }
    if Builtin.searching.contains(builtin.signature) { usesPatterns = true }
    let nodes = try compileAll(arguments, sight)
    switch builtin.implementation {
    case .value(let function): return ValueNode(function)
    case .value1(let function): return ValueNode1(nodes[0], function)
    case .value2(let function): return ValueNode2(nodes[0], nodes[1], function)
    case .value3(let function): return ValueNode3(nodes[0], nodes[1], nodes[2], function)
    case .zoned(let function): return try zoned(function, nodes, arguments)
    case .local(let function): return local(function, nodes.first)
    case .node(let make):
      let node = make(nodes)
      if node is NowNode { readsClock = true }
      return node
    case .definition(let source):
      let (function, body) = try definition(builtin, source)
      let passed = zip(nodes, function).map { Argument(node: $0, isValue: $1.isValue) }
      return CallNode(body, passed, hops: sight.depth)
    }
  }

  /// Compiles a builtin whose second argument is the name of a time zone; one that is literal is looked up here.
  private func zoned(
    _ function: @escaping Builtin.ZonedFunction, _ nodes: [any Node], _ arguments: [Syntax]
  ) throws(SyntaxFault) -> any Node {
    guard let name = (nodes[1] as? ConstantNode)?.value.asString else {
      return ValueNode2(nodes[0], nodes[1]) { input, argument, zone, environment throws(ExpressionError) in
        try function(input, argument, Builtin.zone(zone, environment), environment)
      }
    }
    guard let zone = zones.zone(named: name) else {
      let (message, suggestion) = zones.refusal(of: name)
      throw SyntaxFault(message: message, range: arguments[1].range, suggestion: suggestion)
    }
    zoneNames.insert(name)
    return ValueNode1(nodes[0]) { input, argument, environment throws(ExpressionError) in
      try function(input, argument, zone, environment)
    }
  }

  /// Compiles a builtin in the machine's time zone, which is looked up here: it may be another one where the expression is
  /// evaluated again.
  private func local(_ function: @escaping Builtin.ZonedFunction, _ argument: (any Node)?) -> any Node {
    let zone = zones.localZone
    zoneNames.insert("")
    guard let argument else {
      return ValueNode { input, environment throws(ExpressionError) in try function(input, .null, zone, environment) }
    }
    return ValueNode1(argument) { input, argument, environment throws(ExpressionError) in
      try function(input, argument, zone, environment)
    }
  }

  /// The body of a builtin that is defined in the language itself; it has no access to the surrounding expression.
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
}
