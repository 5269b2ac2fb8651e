internal import JSON

/// Evaluates `first(f)`.
final class FirstNode: Node {
  let isDirect = true
  private let body: any Node

  init(_ body: any Node) { self.body = body }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    try body.first(input, frame)
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    var first: Located?
    _ = try body.paths(input, frame) { place throws(ExpressionError) in
      first = place
      return .stop
    }
    guard let first else { return .next }
    return try sink(first)
  }
}
