internal import JSON

/// Evaluates `a | b`.
final class PipeNode: Node {
  let isDirect: Bool
  let isEdit: Bool
  private let first: any Node
  private let second: any Node

  init(_ first: any Node, _ second: any Node) {
    self.first = first
    self.second = second
    isDirect = first.isDirect && second.isDirect
    isEdit = first.isEdit && second.isEdit
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    try frame.step()
    guard let value = try first.direct(input, frame) else { return nil }
    return try second.direct(value, frame)
  }

  func change(_ value: inout JSONValue, _ frame: Frame) throws(ExpressionError) -> Bool {
    try frame.step()
    guard try first.change(&value, frame) else { return false }
    return try second.change(&value, frame)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try first.each(input, frame) { value throws(ExpressionError) in
      try frame.step()
      return try second.each(value, frame, sink)
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try first.paths(input, frame) { place throws(ExpressionError) in
      try frame.step()
      return try second.paths(place, frame, sink)
    }
  }
}
