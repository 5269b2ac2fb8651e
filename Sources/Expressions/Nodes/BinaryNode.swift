internal import JSON

/// `a + b` and its like: for each value of the right side, each of the left.
final class BinaryNode<Operation: BinaryOperation>: Node {
  let isDirect: Bool
  let isEdit: Bool
  private let left: any Node
  private let right: any Node
  let readsText: Bool
  /// The member and the string that it compares, if it does nothing else.
  private let comparison: (member: MemberKey, string: [UInt8])?

  init(_ left: any Node, _ right: any Node) {
    self.left = left
    self.right = right
    isDirect = left.isDirect && right.isDirect
    isEdit = left is IdentityNode && right.isDirect
    comparison =
      Operation.result(ofEquality: true) != nil ? Self.comparison(left, right) ?? Self.comparison(right, left) : nil
    readsText = left.readsText && right.readsText
  }

  private static func comparison(_ one: any Node, _ other: any Node) -> (member: MemberKey, string: [UInt8])? {
    guard let member = (one as? FieldNode)?.memberOfInput, case .string(let string)? = (other as? ConstantNode)?.value
    else { return nil }
    return (member, Array(string.utf8))
  }

  func number(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> Double? {
    if case .number(let number)? = try result(in: object, frame) { number } else { nil }
  }

  func truth(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> Bool? {
    try result(in: object, frame)?.isTrue
  }

  private func result(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    try frame.step()
    if let comparison {
      guard let found = object.comparison(of: comparison.member, with: comparison.string) else { return nil }
      try frame.environment.charge(bytes: found.bytes)
      return Operation.result(ofEquality: found.isSame)
    }
    guard let second = try right.number(in: object, frame), let first = try left.number(in: object, frame) else {
      return nil
    }
    return Operation.numbers(first, second)
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    try frame.step()
    guard let second = try right.direct(input, frame), let first = try left.direct(input, frame) else { return nil }
    return try result(first, second, frame)
  }

  @inline(__always)
  private func result(
    _ first: JSONValue, _ second: JSONValue, _ frame: Frame
  ) throws(ExpressionError) -> JSONValue {
    if case .number(let a) = first, case .number(let b) = second, let result = Operation.numbers(a, b) { return result }
    return try Operation.apply(first, second, frame.environment)
  }

  func change(_ value: inout JSONValue, _ frame: Frame) throws(ExpressionError) -> Bool {
    try frame.step()
    guard let second = try right.direct(value, frame) else { return false }
    try frame.environment.charge(bytes: value.ownBytes / PlaceEditing.ownedShare)
    try Operation.apply(second, to: &value, frame.environment)
    return true
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try right.each(input, frame) { second throws(ExpressionError) in
      try left.each(input, frame) { first throws(ExpressionError) in
        try frame.step()
        return try sink(result(first, second, frame))
      }
    }
  }
}
