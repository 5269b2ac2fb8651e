internal import JSON

/// `foreach a as pattern (initial; update; extract)`: each output of `update` is the next state, and extracted; without
/// output the state is null.
final class ForeachNode: Node {
  let isDirect = false
  private let source: any Node
  private let destructuring: Destructuring
  private let initial: any Node
  private let update: any Node
  private let extract: any Node

  init(
    _ source: any Node, as destructuring: Destructuring, initial: any Node, update: any Node, extract: any Node
  ) {
    self.source = source
    self.destructuring = destructuring
    self.initial = initial
    self.update = update
    self.extract = extract
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try initial.each(input, frame) { start throws(ExpressionError) in
      var state = start
      return try source.each(input, frame) { item throws(ExpressionError) in
        try frame.step()
        return try destructuring.bind(item, frame) { inner throws(ExpressionError) in
          let before = state
          state = .null
          return try update.each(before, inner) { output throws(ExpressionError) in
            state = output
            return try extract.each(output, inner, sink)
          }
        }
      }
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try initial.paths(input, frame) { start throws(ExpressionError) in
      var state = start
      return try source.each(input.value, frame) { item throws(ExpressionError) in
        try frame.step()
        return try destructuring.bind(item, frame) { inner throws(ExpressionError) in
          let before = state
          state = before.replaced(by: .null)
          return try update.paths(before, inner) { output throws(ExpressionError) in
            state = output
            return try extract.paths(output, inner, sink)
          }
        }
      }
    }
  }
}
