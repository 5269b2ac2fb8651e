internal import JSON

/// Evaluates `capture(pattern; flags)`: an object of the named groups of each match.
///
/// It skips the descriptions of the matches, since only the texts are used.
final class CaptureNode: Node {
  let isDirect = false
  private let pattern: any Node
  /// `nil` if they may follow the pattern in an array.
  private let flags: (any Node)?

  private static let stepsPerGroup = 6

  init(_ pattern: any Node, _ flags: (any Node)?) {
    self.pattern = pattern
    self.flags = flags
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    guard let flags else {
      return try pattern.each(input, frame) { pattern throws(ExpressionError) in
        guard case .array(let parts) = pattern else { return try capture(input, pattern, .null, frame, sink) }
        return try capture(input, parts.first ?? .null, parts.count > 1 ? parts[1] : .null, frame, sink)
      }
    }
    return try flags.each(input, frame) { flags throws(ExpressionError) in
      try pattern.each(input, frame) { pattern throws(ExpressionError) in
        try capture(input, pattern, flags, frame, sink)
      }
    }
  }

  private func capture(
    _ input: JSONValue, _ pattern: JSONValue, _ flags: JSONValue, _ frame: Frame, _ sink: Sink
  ) throws(ExpressionError) -> Flow {
    let search = try RegexSearch(input, pattern, flags, frame.environment)
    return try search.each { _, groups throws(ExpressionError) in
      try frame.environment.step(Self.stepsPerGroup * groups.count)
      try frame.environment.charge(characters: groups.reduce(0) { $0 + ($1?.count ?? 0) })
      return try sink(.object(search.namedGroups(groups)))
    }
  }
}
