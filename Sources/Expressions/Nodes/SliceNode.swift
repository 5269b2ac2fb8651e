internal import JSON

/// Evaluates `.[from:end]`.
final class SliceNode: Node {
  let isDirect: Bool
  private let target: any Node
  private let start: any Node
  private let end: any Node
  private let isOptional: Bool

  init(_ target: any Node, from start: any Node, upTo end: any Node, isOptional: Bool) {
    self.target = target
    self.start = start
    self.end = end
    self.isOptional = isOptional
    isDirect = target.isDirect && start.isDirect && end.isDirect
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try eachSlice(input, frame) { slice throws(ExpressionError) in
      try target.each(input, frame) { value throws(ExpressionError) in
        guard let output = try apply(slice, to: value, frame) else { return .next }
        return try sink(output)
      }
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try eachSlice(input.value, frame) { slice throws(ExpressionError) in
      try target.paths(input, frame) { place throws(ExpressionError) in
        try place.requirePlace(forAccessTo: slice.pathKey)
        guard let output = try apply(slice, to: place.value, frame) else { return .next }
        return try sink(place.child(slice.pathKey, output))
      }
    }
  }

  private func eachSlice(
    _ input: JSONValue, _ frame: Frame, _ body: (Slice) throws(ExpressionError) -> Flow
  ) throws(ExpressionError) -> Flow {
    try start.each(input, frame) { start throws(ExpressionError) in
      try end.each(input, frame) { end throws(ExpressionError) in try body(Slice(start: start, end: end)) }
    }
  }

  private func apply(_ slice: Slice, to value: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    do throws(ExpressionError) {
      return try slice.apply(to: value, frame.environment)
    } catch {
      if isOptional, error.isCatchable { return nil }
      throw error
    }
  }
}
