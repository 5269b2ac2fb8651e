internal import JSON

/// `[a]`: all outputs as one array.
final class ArrayNode: Node {
  let isDirect = true
  private let items: any Node

  init(_ items: any Node) { self.items = items }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    let array = JSONValue.array(try Self.collect(items, input, frame))
    try frame.environment.constructed(array)
    return array
  }

  /// Returns all outputs of a node.
  static func collect(
    _ node: any Node, _ input: JSONValue, _ frame: Frame
  ) throws(ExpressionError) -> [JSONValue] {
    if node.isDirect { return try node.direct(input, frame).map { [$0] } ?? [] }
    var outputs: [JSONValue] = []
    _ = try node.each(input, frame) { output throws(ExpressionError) in
      try frame.step()
      outputs.append(output)
      return .next
    }
    return outputs
  }
}
