internal import JSON

/// Evaluates `repeat(f)`.
final class RepeatNode: Node {
  let isDirect = false
  private let body: any Node

  init(_ body: any Node) { self.body = body }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    while true {
      try frame.step()
      if try body.each(input, frame, sink) == .stop { return .stop }
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    while true {
      try frame.step()
      if try body.paths(input, frame, sink) == .stop { return .stop }
    }
  }
}
