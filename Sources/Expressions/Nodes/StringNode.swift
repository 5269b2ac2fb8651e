internal import JSON

/// `"text \(a) text"`: a string for each combination of the expressions' outputs; the last one varies slowest.
final class StringNode: Node {
  enum Part {
    case text(String)
    case node(any Node)
  }

  let isDirect: Bool
  private let parts: [Part]
  private let format: TextFormat

  init(_ parts: [Part], format: TextFormat) {
    self.parts = parts
    self.format = format
    isDirect = parts.allSatisfy { if case .node(let node) = $0 { node.isDirect } else { true } }
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    var texts: [String] = []
    var length = 0
    for part in parts.reversed() {
      guard let text = try text(of: part, input, frame) else { return nil }
      length += text.utf8.count
      try frame.environment.allow(bytes: length, copied: text.utf8.count)
      texts.append(text)
    }
    var result = ""
    result.reserveCapacity(length)
    for text in texts.reversed() { result += text }
    return .string(result)
  }

  private func text(of part: Part, _ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> String? {
    switch part {
    case .text(let text): return text
    case .node(let node):
      guard let value = try node.direct(input, frame) else { return nil }
      return try format.apply(to: value, frame.environment)
    }
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try prepend(parts[...], to: "", input, frame, sink)
  }

  private func prepend(
    _ rest: ArraySlice<Part>, to tail: String, _ input: JSONValue, _ frame: Frame, _ sink: Sink
  ) throws(ExpressionError) -> Flow {
    try frame.environment.allow(bytes: tail.utf8.count)
    switch rest.last {
    case nil: return try sink(.string(tail))
    case .text(let text): return try prepend(rest.dropLast(), to: text + tail, input, frame, sink)
    case .node(let node):
      return try node.each(input, frame) { value throws(ExpressionError) in
        let text = try format.apply(to: value, frame.environment)
        return try prepend(rest.dropLast(), to: text + tail, input, frame, sink)
      }
    }
  }
}
