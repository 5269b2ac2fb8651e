internal import JSON

/// Evaluates `last(f)`.
final class LastNode: Node {
  let isDirect = true
  private let body: any Node

  init(_ body: any Node) { self.body = body }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    var last: JSONValue?
    _ = try body.each(input, frame) { value throws(ExpressionError) in
      try frame.step()
      last = value
      return .next
    }
    return last
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    var last: Located?
    _ = try body.paths(input, frame) { place throws(ExpressionError) in
      try frame.step()
      last = place
      return .next
    }
    guard let last else { return .next }
    return try sink(last)
  }
}
