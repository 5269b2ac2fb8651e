internal import JSON

/// Evaluates `a as pattern | b`.
final class BindNode: Node {
  let isDirect: Bool
  private let source: any Node
  private let destructuring: Destructuring
  private let body: any Node

  init(_ source: any Node, as destructuring: Destructuring, in body: any Node) {
    self.source = source
    self.destructuring = destructuring
    self.body = body
    isDirect = source.isDirect && destructuring.isDirect && body.isDirect
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    guard let value = try source.direct(input, frame) else { return nil }
    try frame.step()
    if destructuring.isVariable { return try body.direct(input, frame.binding(value)) }
    var output: JSONValue?
    _ = try destructuring.bind(value, frame) { inner throws(ExpressionError) in
      output = try body.direct(input, inner)
      return .next
    }
    return output
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try source.each(input, frame) { value throws(ExpressionError) in
      try frame.step()
      return try destructuring.bind(value, frame) { inner throws(ExpressionError) in
        try body.each(input, inner, sink)
      }
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try source.each(input.value, frame) { value throws(ExpressionError) in
      try frame.step()
      return try destructuring.bind(value, frame) { inner throws(ExpressionError) in
        try body.paths(input, inner, sink)
      }
    }
  }
}
