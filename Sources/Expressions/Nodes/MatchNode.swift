internal import JSON

/// Evaluates `match(pattern; flags)`.
final class MatchNode: Node {
  let isDirect = false
  private let pattern: any Node
  private let flags: any Node

  init(_ pattern: any Node, _ flags: any Node) {
    self.pattern = pattern
    self.flags = flags
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try flags.each(input, frame) { flags throws(ExpressionError) in
      try pattern.each(input, frame) { pattern throws(ExpressionError) in
        let search = try RegexSearch(input, pattern, flags, frame.environment)
        var description = RegexDescription(search)
        return try search.each { whole, groups throws(ExpressionError) in
          try sink(description.object(whole, groups))
        }
      }
    }
  }
}
