internal import JSON

/// What an operator makes of two values.
protocol BinaryOperation {
  static func apply(
    _ left: JSONValue, _ right: JSONValue, _ environment: Environment
  ) throws(ExpressionError) -> JSONValue
}

/// `a + b` and its like: for each value of the right side, each of the left.
final class BinaryNode<Operation: BinaryOperation>: Node {
  let isDirect: Bool
  let left: any Node
  let right: any Node

  init(_ left: any Node, _ right: any Node) {
    self.left = left
    self.right = right
    isDirect = left.isDirect && right.isDirect
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    try frame.environment.step()
    guard let second = try right.direct(input, frame), let first = try left.direct(input, frame) else { return nil }
    return try Operation.apply(first, second, frame.environment)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try right.each(input, frame) { second throws(ExpressionError) in
      try left.each(input, frame) { first throws(ExpressionError) in
        try frame.environment.step()
        return try sink(Operation.apply(first, second, frame.environment))
      }
    }
  }
}
