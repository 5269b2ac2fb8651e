internal import JSON

/// Evaluates `until(condition; update)`.
final class UntilNode: Node {
  let isDirect: Bool
  private let condition: any Node
  private let update: any Node

  init(_ condition: any Node, _ update: any Node) {
    self.condition = condition
    self.update = update
    isDirect = condition.isDirect && update.isDirect
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    var value = input
    while true {
      try frame.step()
      guard let isDone = try condition.direct(value, frame) else { return nil }
      if isDone.isTrue { return value }
      guard let next = try update.direct(value, frame) else { return nil }
      value = next
    }
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    if isDirect {
      guard let value = try direct(input, frame) else { return .next }
      return try sink(value)
    }
    try frame.step()
    try frame.environment.guardStack()
    return try condition.each(input, frame) { isDone throws(ExpressionError) in
      if isDone.isTrue { return try sink(input) }
      return try update.each(input, frame) { next throws(ExpressionError) in try each(next, frame, sink) }
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try frame.step()
    try frame.environment.guardStack()
    return try condition.each(input.value, frame) { isDone throws(ExpressionError) in
      if isDone.isTrue { return try sink(input) }
      return try update.paths(input, frame) { next throws(ExpressionError) in try paths(next, frame, sink) }
    }
  }
}
