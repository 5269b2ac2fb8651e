internal import JSON

/// A literal.
final class ConstantNode: Node {
  let value: JSONValue
  var isDirect: Bool { true }

  init(_ value: JSONValue) { self.value = value }

  var readsText: Bool {
    switch value {
    case .number, .string: true
    default: false
    }
  }

  func number(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> Double? {
    if case .number(let number) = value { number } else { nil }
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? { value }
}
