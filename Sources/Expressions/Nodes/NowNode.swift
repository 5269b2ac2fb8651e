internal import JSON

/// Evaluates `now`.
final class NowNode: Node {
  let isDirect = true

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    .number(frame.environment.now)
  }
}
