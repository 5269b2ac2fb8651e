internal import JSON

/// An argument in a call: an expression, or a value to be evaluated first.
struct Argument {
  let node: any Node
  /// True if the parameter is written `$name`.
  let isValue: Bool
}

/// A call of a function that is defined in the expression.
final class CallNode: Node {
  let isDirect: Bool
  private let body: FunctionBody
  private let arguments: [Argument]
  /// The number of bindings between here and the function's definition.
  private let hops: Int

  init(_ body: FunctionBody, _ arguments: [Argument], hops: Int) {
    self.body = body
    self.arguments = arguments
    self.hops = hops
    isDirect = body.isDirect && arguments.allSatisfy { !$0.isValue || $0.node.isDirect }
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    try enter(frame)
    var scope = frame.scope?.outer(hops)
    for argument in arguments {
      var value = JSONValue.null
      if argument.isValue {
        guard let given = try argument.node.direct(input, frame) else { return nil }
        value = given
      }
      scope = Scope(value, closure: closure(argument, frame), within: scope)
    }
    return try body.node.direct(input, Frame(frame.environment, scope))
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try eachCall(arguments[...], frame.scope?.outer(hops), input, frame) { inner throws(ExpressionError) in
      try body.node.each(input, inner, sink)
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try eachCall(arguments[...], frame.scope?.outer(hops), input.value, frame) { inner throws(ExpressionError) in
      try body.node.paths(input, inner, sink)
    }
  }

  private func enter(_ frame: Frame) throws(ExpressionError) {
    try frame.step()
    try frame.environment.guardStack()
  }

  /// Binds the arguments, in all combinations of those passed by value; the first varies slowest.
  private func eachCall(
    _ rest: ArraySlice<Argument>, _ scope: Scope?, _ input: JSONValue, _ frame: Frame,
    _ call: (Frame) throws(ExpressionError) -> Flow
  ) throws(ExpressionError) -> Flow {
    guard let argument = rest.first else {
      try enter(frame)
      return try call(Frame(frame.environment, scope))
    }
    let closure = closure(argument, frame)
    guard argument.isValue else {
      return try eachCall(rest.dropFirst(), Scope(.null, closure: closure, within: scope), input, frame, call)
    }
    return try argument.node.each(input, frame) { value throws(ExpressionError) in
      try eachCall(rest.dropFirst(), Scope(value, closure: closure, within: scope), input, frame, call)
    }
  }

  /// Returns an argument's closure; one that merely forwards the caller's argument is replaced by it, so that recursion
  /// builds no chain.
  private func closure(_ argument: Argument, _ frame: Frame) -> Closure {
    if let passed = argument.node as? ClosureNode, let closure = passed.closure(in: frame) { return closure }
    return Closure(node: argument.node, scope: frame.scope)
  }
}
