internal import JSON

/// Evaluates `.`.
final class IdentityNode: Node {
  /// Stateless, so that one instance suffices.
  static let shared = IdentityNode()

  private init() {}

  var isDirect: Bool { true }
  var isEdit: Bool { true }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? { input }

  func change(_ value: inout JSONValue, _ frame: Frame) throws(ExpressionError) -> Bool { true }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try sink(input)
  }
}
