internal import JSON

/// Evaluates `.[]`.
final class IterateNode: Node {
  let isDirect = false
  private let target: any Node
  private let isOptional: Bool

  init(_ target: any Node, isOptional: Bool) {
    self.target = target
    self.isOptional = isOptional
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try target.each(input, frame) { value throws(ExpressionError) in
      try Iteration.each(of: value, isOptional: isOptional, frame.environment, sink)
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try target.paths(input, frame) { place throws(ExpressionError) in
      try place.requirePlaceForIteration()
      return try Iteration.children(of: place, isOptional: isOptional, frame.environment, sink)
    }
  }
}
