internal import JSON

/// Evaluates `empty`.
final class EmptyNode: Node {
  let isDirect = true

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? { nil }
}
