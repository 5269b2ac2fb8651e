internal import JSON

/// `recurse(f)` and `..`: the input, then recursively each output of `f`.
final class RecurseNode: Node {
  let isDirect = false
  private let step: any Node

  init(_ step: any Node) { self.step = step }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    if step.isDirect { return try follow(input, frame, sink) }
    try frame.step()
    try frame.environment.guardStack()
    if try sink(input) == .stop { return .stop }
    return try step.each(input, frame) { next throws(ExpressionError) in try each(next, frame, sink) }
  }

  /// Loops where there is at most one output.
  private func follow(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    var next: JSONValue? = input
    while let value = next {
      try frame.step()
      if try sink(value) == .stop { return .stop }
      next = try step.direct(value, frame)
    }
    return .next
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try frame.step()
    try frame.environment.guardStack()
    if try sink(input) == .stop { return .stop }
    return try step.paths(input, frame) { next throws(ExpressionError) in try paths(next, frame, sink) }
  }
}
