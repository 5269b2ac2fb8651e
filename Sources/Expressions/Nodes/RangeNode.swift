internal import JSON

/// Evaluates `range(from; upto; by)`.
final class RangeNode: Node {
  let isDirect = false
  private let start: any Node
  private let end: any Node
  private let stride: any Node

  init(_ start: any Node, _ end: any Node, _ stride: any Node) {
    self.start = start
    self.end = end
    self.stride = stride
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try start.each(input, frame) { start throws(ExpressionError) in
      try end.each(input, frame) { end throws(ExpressionError) in
        try stride.each(input, frame) { stride throws(ExpressionError) in
          guard let start = start.asNumber, let end = end.asNumber, let stride = stride.asNumber else {
            throw .badValue("Range bounds must be numeric")
          }
          return try Self.count(from: start, upTo: end, by: stride, frame.environment, sink)
        }
      }
    }
  }

  private static func count(
    from start: Double, upTo end: Double, by stride: Double, _ environment: Environment, _ sink: Sink
  ) throws(ExpressionError) -> Flow {
    var number = start
    while stride > 0 ? number < end : stride < 0 && number > end {
      try environment.step()
      if try sink(.number(number)) == .stop { return .stop }
      number += stride
    }
    return .next
  }
}
