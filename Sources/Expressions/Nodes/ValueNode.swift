internal import JSON

/// A builtin that makes one value of its input.
final class ValueNode: Node {
  typealias Function = @Sendable (JSONValue, Environment) throws(ExpressionError) -> JSONValue

  let isDirect = true
  private let function: Function

  init(_ function: @escaping Function) { self.function = function }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    try frame.step()
    return try function(input, frame.environment)
  }
}

/// A builtin that makes one value of its input and each value of an argument.
final class ValueNode1: Node {
  typealias Function = @Sendable (JSONValue, JSONValue, Environment) throws(ExpressionError) -> JSONValue

  let isDirect: Bool
  private let argument: any Node
  private let function: Function

  init(_ argument: any Node, _ function: @escaping Function) {
    self.argument = argument
    self.function = function
    isDirect = argument.isDirect
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    try frame.step()
    guard let argument = try argument.direct(input, frame) else { return nil }
    return try function(input, argument, frame.environment)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try argument.each(input, frame) { argument throws(ExpressionError) in
      try frame.step()
      return try sink(function(input, argument, frame.environment))
    }
  }
}

/// A builtin of two arguments; the first varies fastest, as in jq.
final class ValueNode2: Node {
  typealias Function =
    @Sendable (JSONValue, JSONValue, JSONValue, Environment) throws(ExpressionError) -> JSONValue

  let isDirect: Bool
  private let first: any Node
  private let second: any Node
  private let function: Function

  init(_ first: any Node, _ second: any Node, _ function: @escaping Function) {
    self.first = first
    self.second = second
    self.function = function
    isDirect = first.isDirect && second.isDirect
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try second.each(input, frame) { second throws(ExpressionError) in
      try first.each(input, frame) { first throws(ExpressionError) in
        try frame.step()
        return try sink(function(input, first, second, frame.environment))
      }
    }
  }
}

/// A builtin of three arguments; the first varies fastest.
final class ValueNode3: Node {
  typealias Function =
    @Sendable (JSONValue, JSONValue, JSONValue, JSONValue, Environment) throws(ExpressionError) -> JSONValue

  let isDirect: Bool
  private let arguments: [any Node]
  private let function: Function

  init(_ first: any Node, _ second: any Node, _ third: any Node, _ function: @escaping Function) {
    arguments = [first, second, third]
    self.function = function
    isDirect = arguments.allSatisfy(\.isDirect)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try arguments[2].each(input, frame) { third throws(ExpressionError) in
      try arguments[1].each(input, frame) { second throws(ExpressionError) in
        try arguments[0].each(input, frame) { first throws(ExpressionError) in
          try frame.step()
          return try sink(function(input, first, second, third, frame.environment))
        }
      }
    }
  }
}
