internal import JSON

/// `any(generator; condition)` and `all`: ends at the first deciding result.
final class QuantifierNode: Node {
  let isDirect = true
  private let generator: any Node
  private let condition: any Node
  /// The deciding result: true for `any`, false for `all`.
  private let decisive: Bool

  init(_ generator: any Node, _ condition: any Node, decisive: Bool) {
    self.generator = generator
    self.condition = condition
    self.decisive = decisive
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    let flow = try generator.each(input, frame) { value throws(ExpressionError) in
      try condition.each(value, frame) { holds throws(ExpressionError) in
        try frame.step()
        return holds.isTrue == decisive ? .stop : .next
      }
    }
    return .bool(flow == .stop ? decisive : !decisive)
  }
}
