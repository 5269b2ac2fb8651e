internal import JSON

/// A call of a function's argument.
final class ClosureNode: Node {
  let isDirect = false
  private let hops: Int

  init(hops: Int) { self.hops = hops }

  func closure(in frame: Frame) -> Closure? { frame.scope?.outer(hops)?.closure }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    guard let closure = try enter(frame) else { return .next }
    return try closure.node.each(input, Frame(frame.environment, closure.scope), sink)
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    guard let closure = try enter(frame) else { return .next }
    return try closure.node.paths(input, Frame(frame.environment, closure.scope), sink)
  }

  private func enter(_ frame: Frame) throws(ExpressionError) -> Closure? {
    try frame.step()
    try frame.environment.guardStack()
    return closure(in: frame)
  }
}
