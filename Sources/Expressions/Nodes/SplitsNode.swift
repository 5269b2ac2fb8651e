internal import JSON

/// Evaluates `splits(pattern; flags)`: the parts between all matches.
final class SplitsNode: Node {
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
        let flags = try Addition.apply("g", flags, frame.environment)
        return try split(RegexSearch(input, pattern, flags, frame.environment), sink)
      }
    }
  }

  private func split(_ search: RegexSearch, _ sink: Sink) throws(ExpressionError) -> Flow {
    var start = 0
    let flow = try search.each { whole, _ throws(ExpressionError) in
      let part = search.part(start..<whole.lowerBound)
      start = whole.upperBound
      return try sink(.string(String(part)))
    }
    if flow == .stop { return .stop }
    return try sink(.string(String(search.part(start..<search.text.utf8.count))))
  }
}
