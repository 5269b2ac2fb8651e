internal import JSON

/// Evaluates `-a`.
final class NegateNode: Node {
  let isDirect: Bool
  private let operand: any Node

  init(_ operand: any Node) {
    self.operand = operand
    isDirect = operand.isDirect
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    guard let value = try operand.direct(input, frame) else { return nil }
    return try Self.negate(value)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try operand.each(input, frame) { value throws(ExpressionError) in try sink(Self.negate(value)) }
  }

  private static func negate(_ value: JSONValue) throws(ExpressionError) -> JSONValue {
    guard let number = value.asNumber else { throw .badValue("\(value.described) cannot be negated") }
    return .number(-number)
  }
}
