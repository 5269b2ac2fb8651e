internal import JSON

/// Evaluates `sub(pattern; replacement; flags)`, where the replacement can use the named groups of each match.
///
/// A replacement with several outputs yields several strings: the first is made of all first outputs, and so on.
final class SubstituteNode: Node {
  let isDirect = false
  private let pattern: any Node
  private let replacement: any Node
  private let flags: any Node

  init(_ pattern: any Node, _ replacement: any Node, _ flags: any Node) {
    self.pattern = pattern
    self.replacement = replacement
    self.flags = flags
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try pattern.each(input, frame) { pattern throws(ExpressionError) in
      try flags.each(input, frame) { flags throws(ExpressionError) in
        let search = try RegexSearch(input, pattern, flags, frame.environment)
        for output in try substituted(search, frame) where try sink(output) == .stop { return .stop }
        return .next
      }
    }
  }

  private func substituted(_ search: RegexSearch, _ frame: Frame) throws(ExpressionError) -> [JSONValue] {
    var results: [JSONValue] = []
    var end = 0
    _ = try search.each { whole, groups throws(ExpressionError) in
      let gap = JSONValue.string(String(search.part(end..<whole.lowerBound)))
      end = whole.upperBound
      var index = 0
      return try replacement.each(.object(search.namedGroups(groups)), frame) { text throws(ExpressionError) in
        if index == results.count { results.append("") }
        try Addition.append(gap, to: &results[index], frame.environment)
        try Self.append(text, to: &results[index], frame.environment)
        index += 1
        return .next
      }
    }
    if results.isEmpty { return [.string(search.text)] }
    let tail = JSONValue.string(String(search.part(end..<search.text.utf8.count)))
    for index in results.indices { try Addition.append(tail, to: &results[index], frame.environment) }
    return results
  }

  private static func append(
    _ text: JSONValue, to result: inout JSONValue, _ environment: Environment
  ) throws(ExpressionError) {
    guard text.asString != nil else { throw .badValue("\(result.described) and \(text.described) cannot be added") }
    try Addition.append(text, to: &result, environment)
  }
}
