internal import JSON

/// `a and b`, `a or b`: the right side is evaluated unless the left one decides.
final class LogicNode: Node {
  let isDirect: Bool
  let readsText: Bool
  private let left: any Node
  private let right: any Node
  /// The left value that decides: false for `and`, true for `or`.
  private let decisive: Bool

  init(_ left: any Node, _ right: any Node, decisive: Bool) {
    self.left = left
    self.right = right
    self.decisive = decisive
    isDirect = left.isDirect && right.isDirect
    readsText = left.readsText && right.readsText
  }

  func truth(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> Bool? {
    guard let first = try left.truth(in: object, frame) else { return nil }
    return first == decisive ? first : try right.truth(in: object, frame)
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    guard let first = try left.direct(input, frame) else { return nil }
    if first.isTrue == decisive { return .bool(decisive) }
    guard let second = try right.direct(input, frame) else { return nil }
    return .bool(second.isTrue)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try left.each(input, frame) { first throws(ExpressionError) in
      try frame.step()
      if first.isTrue == decisive { return try sink(.bool(decisive)) }
      return try right.each(input, frame) { second throws(ExpressionError) in try sink(.bool(second.isTrue)) }
    }
  }
}
