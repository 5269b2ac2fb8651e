internal import JSON

/// Evaluates `.`.
final class IdentityNode: Node {
  let isDirect = true

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? { input }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try sink(input)
  }
}
