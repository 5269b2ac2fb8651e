internal import JSON

/// `try a catch b`, and `a?`, which ignores an error.
final class AttemptNode: Node {
  let isDirect: Bool
  private let body: any Node
  private let handler: (any Node)?

  init(_ body: any Node, handler: (any Node)?) {
    self.body = body
    self.handler = handler
    isDirect = body.isDirect && handler?.isDirect != false
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    do throws(ExpressionError) {
      return try body.direct(input, frame)
    } catch {
      guard error.isCatchable else { throw error }
      return try handler?.direct(error.caught, frame)
    }
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    var guarded = Guarded()
    let flow = try guarded.run { guarded throws(ExpressionError) in
      try body.each(input, frame) { value throws(ExpressionError) in
        try guarded.pass { () throws(ExpressionError) in try sink(value) }
      }
    }
    guard let error = guarded.error else { return flow ?? .next }
    return try handler?.each(error.caught, frame, sink) ?? .next
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    var guarded = Guarded()
    let flow = try guarded.run { guarded throws(ExpressionError) in
      try body.paths(input, frame) { place throws(ExpressionError) in
        try guarded.pass { () throws(ExpressionError) in try sink(place) }
      }
    }
    guard let error = guarded.error else { return flow ?? .next }
    return try handler?.paths(input.replaced(by: error.caught), frame, sink) ?? .next
  }
}
