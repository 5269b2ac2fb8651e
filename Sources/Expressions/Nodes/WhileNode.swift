internal import JSON

/// Evaluates `while(condition; update)`.
final class WhileNode: Node {
  let isDirect = false
  private let condition: any Node
  private let update: any Node

  init(_ condition: any Node, _ update: any Node) {
    self.condition = condition
    self.update = update
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    if condition.isDirect, update.isDirect { return try loop(input, frame, sink) }
    try frame.step()
    try frame.environment.guardStack()
    return try condition.each(input, frame) { holds throws(ExpressionError) in
      guard holds.isTrue else { return .next }
      if try sink(input) == .stop { return .stop }
      return try update.each(input, frame) { next throws(ExpressionError) in try each(next, frame, sink) }
    }
  }

  private func loop(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    var next: JSONValue? = input
    while let value = next, let holds = try condition.direct(value, frame), holds.isTrue {
      try frame.step()
      if try sink(value) == .stop { return .stop }
      next = try update.direct(value, frame)
    }
    return .next
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try frame.step()
    try frame.environment.guardStack()
    return try condition.each(input.value, frame) { holds throws(ExpressionError) in
      guard holds.isTrue else { return .next }
      if try sink(input) == .stop { return .stop }
      return try update.paths(input, frame) { next throws(ExpressionError) in try paths(next, frame, sink) }
    }
  }
}
