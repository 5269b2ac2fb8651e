internal import JSON

/// Evaluates `getpath(path)`.
final class GetPathNode: Node {
  let isDirect: Bool
  private let path: any Node

  init(_ path: any Node) {
    self.path = path
    isDirect = path.isDirect
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try path.each(input, frame) { path throws(ExpressionError) in
      try sink(PathAccess.get(input, try PathAccess.keys(path), frame.environment))
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try path.each(input.value, frame) { path throws(ExpressionError) in
      try input.requirePlace(forAccessTo: path)
      let keys = try PathAccess.keys(path)
      let value = try PathAccess.get(input.value, keys, frame.environment)
      return try sink(input.descendant(keys, value))
    }
  }
}
