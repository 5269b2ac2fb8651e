internal import JSON

/// A literal.
final class ConstantNode: Node {
  let value: JSONValue
  var isDirect: Bool { true }

  init(_ value: JSONValue) { self.value = value }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? { value }
}
