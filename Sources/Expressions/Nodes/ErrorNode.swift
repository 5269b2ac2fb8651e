internal import JSON

/// Evaluates `error(value)`.
final class ErrorNode: Node {
  let isDirect: Bool
  private let value: any Node

  init(_ value: any Node) {
    self.value = value
    isDirect = value.isDirect
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try value.each(input, frame) { value throws(ExpressionError) in throw ExpressionError(raised: value) }
  }
}
