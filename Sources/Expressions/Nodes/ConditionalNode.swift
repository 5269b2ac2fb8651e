internal import JSON

/// Evaluates `if a then b else c end`.
final class ConditionalNode: Node {
  let isDirect: Bool
  let isEdit: Bool
  private let condition: any Node
  private let consequence: any Node
  private let otherwise: any Node

  init(_ condition: any Node, then consequence: any Node, otherwise: any Node) {
    self.condition = condition
    self.consequence = consequence
    self.otherwise = otherwise
    isEdit = condition.isDirect && consequence.isEdit && otherwise.isEdit
    isDirect = condition.isDirect && consequence.isDirect && otherwise.isDirect
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    guard let holds = try condition.direct(input, frame) else { return nil }
    return try (holds.isTrue ? consequence : otherwise).direct(input, frame)
  }

  func change(_ value: inout JSONValue, _ frame: Frame) throws(ExpressionError) -> Bool {
    guard let holds = try condition.direct(value, frame) else { return false }
    return try (holds.isTrue ? consequence : otherwise).change(&value, frame)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try condition.each(input, frame) { holds throws(ExpressionError) in
      try (holds.isTrue ? consequence : otherwise).each(input, frame, sink)
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try condition.each(input.value, frame) { holds throws(ExpressionError) in
      try (holds.isTrue ? consequence : otherwise).paths(input, frame, sink)
    }
  }
}
