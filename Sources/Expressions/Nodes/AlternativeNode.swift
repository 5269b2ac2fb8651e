internal import JSON

/// Evaluates `a // b`: the outputs of `a` that are neither false nor null, or else those of `b`.
final class AlternativeNode: Node {
  let isDirect: Bool
  private let preferred: any Node
  private let otherwise: any Node

  init(_ preferred: any Node, _ otherwise: any Node) {
    self.preferred = preferred
    self.otherwise = otherwise
    isDirect = preferred.isDirect && otherwise.isDirect
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    if let value = try preferred.direct(input, frame), value.isTrue { return value }
    return try otherwise.direct(input, frame)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    var found = false
    let flow = try preferred.each(input, frame) { value throws(ExpressionError) in
      guard value.isTrue else { return .next }
      found = true
      return try sink(value)
    }
    return found ? flow : try otherwise.each(input, frame, sink)
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    var found = false
    let flow = try preferred.paths(input, frame) { place throws(ExpressionError) in
      guard place.value.isTrue else { return .next }
      found = true
      return try sink(place)
    }
    return found ? flow : try otherwise.paths(input, frame, sink)
  }
}
