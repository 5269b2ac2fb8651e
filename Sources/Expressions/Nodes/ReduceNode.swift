internal import JSON

/// `reduce a as pattern (initial; update)`: the last output of `update` is the next state; without output it is null.
final class ReduceNode: Node {
  let isDirect: Bool
  private let source: any Node
  private let destructuring: Destructuring
  private let initial: any Node
  private let update: any Node

  init(_ source: any Node, as destructuring: Destructuring, initial: any Node, update: any Node) {
    self.source = source
    self.destructuring = destructuring
    self.initial = initial
    self.update = update
    isDirect = initial.isDirect
  }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    guard let start = try initial.direct(input, frame) else { return nil }
    return try fold(start, input, frame)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try initial.each(input, frame) { start throws(ExpressionError) in try sink(fold(start, input, frame)) }
  }

  private func fold(
    _ start: JSONValue, _ input: JSONValue, _ frame: Frame
  ) throws(ExpressionError) -> JSONValue {
    var state = start
    _ = try source.each(input, frame) { item throws(ExpressionError) in
      try frame.step()
      return try destructuring.bind(item, frame) { inner throws(ExpressionError) in
        try advance(&state, inner)
        return .next
      }
    }
    return state
  }

  private func advance(_ state: inout JSONValue, _ frame: Frame) throws(ExpressionError) {
    if update.isEdit {
      if !(try update.change(&state, frame)) { state = .null }
    } else if update.isDirect {
      state = try update.direct(state, frame) ?? .null
    } else {
      let before = state
      state = .null
      _ = try update.each(before, frame) { output throws(ExpressionError) in
        state = output
        return .next
      }
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try initial.paths(input, frame) { start throws(ExpressionError) in
      var state = start
      _ = try source.each(input.value, frame) { item throws(ExpressionError) in
        try frame.step()
        return try destructuring.bind(item, frame) { inner throws(ExpressionError) in
          let before = state
          state = before.replaced(by: .null)
          return try update.paths(before, inner) { output throws(ExpressionError) in
            state = output
            return .next
          }
        }
      }
      return try sink(state)
    }
  }
}
