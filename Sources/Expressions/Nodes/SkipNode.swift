internal import JSON

/// Evaluates `skip(n; f)`.
final class SkipNode: Node {
  let isDirect = false
  private let count: any Node
  private let body: any Node

  init(_ count: any Node, _ body: any Node) {
    self.count = count
    self.body = body
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try count.each(input, frame) { count throws(ExpressionError) in
      var left = try count.count(for: "skip")
      return try body.each(input, frame) { value throws(ExpressionError) in
        if try isSkipped(&left, frame) { return .next }
        return try sink(value)
      }
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try count.each(input.value, frame) { count throws(ExpressionError) in
      var left = try count.count(for: "skip")
      return try body.paths(input, frame) { place throws(ExpressionError) in
        if try isSkipped(&left, frame) { return .next }
        return try sink(place)
      }
    }
  }

  private func isSkipped(_ left: inout Double, _ frame: Frame) throws(ExpressionError) -> Bool {
    if left <= 0 { return false }
    try frame.step()
    left -= 1
    return true
  }
}

extension JSONValue {
  /// The number of outputs to emit or to skip.
  func count(for name: String) throws(ExpressionError) -> Double {
    guard let number = asNumber else { throw .badValue("\(described) number required") }
    guard number >= 0 else { throw .badValue("\(name) doesn't support negative count") }
    return number
  }
}
