internal import JSON

/// Evaluates `limit(n; f)`.
final class LimitNode: Node {
  let isDirect = false
  private let count: any Node
  private let body: any Node

  init(_ count: any Node, _ body: any Node) {
    self.count = count
    self.body = body
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try count.each(input, frame) { count throws(ExpressionError) in
      var left = try count.count(for: "limit")
      if left <= 0 { return .next }
      var isStopped = false
      _ = try body.each(input, frame) { value throws(ExpressionError) in
        left -= 1
        isStopped = try sink(value) == .stop
        return isStopped || left <= 0 ? .stop : .next
      }
      return isStopped ? .stop : .next
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try count.each(input.value, frame) { count throws(ExpressionError) in
      var left = try count.count(for: "limit")
      if left <= 0 { return .next }
      var isStopped = false
      _ = try body.paths(input, frame) { place throws(ExpressionError) in
        left -= 1
        isStopped = try sink(place) == .stop
        return isStopped || left <= 0 ? .stop : .next
      }
      return isStopped ? .stop : .next
    }
  }
}
