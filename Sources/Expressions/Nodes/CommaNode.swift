internal import JSON

/// Evaluates `a, b, …`.
final class CommaNode: Node {
  let isDirect = false
  private let nodes: [any Node]

  init(_ nodes: [any Node]) { self.nodes = nodes }

  /// The values, if all are literals.
  var constants: [JSONValue]? {
    let constants = nodes.compactMap { ($0 as? ConstantNode)?.value }
    return constants.count == nodes.count ? constants : nil
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    for node in nodes {
      try frame.step()
      if try node.each(input, frame, sink) == .stop { return .stop }
    }
    return .next
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    for node in nodes {
      try frame.step()
      if try node.paths(input, frame, sink) == .stop { return .stop }
    }
    return .next
  }
}
