import Expressions
import JSON
import ReactiveCore

/// An expression at its place in a graph: it knows the graph's clock and what to do when a value is refused.
struct Evaluator {
  let expression: Expression
  let context: OperatorContext

  /// A stream made by `body` from each value of `input`; what `body` throws is dealt with as `on_error` says.
  func attempt(
    _ input: Stream, _ body: @escaping (Payload, StreamObserver) throws(ExpressionError) -> Void
  ) -> Stream {
    let (stream, output) = Stream.pipe()
    let context = context
    input.observe { event in
      guard let payload = event.value else { return output.send(event) }
      do throws(ExpressionError) {
        try body(payload, output)
      } catch {
        context.refuse(SignalFailure(code: error.code, message: error.message), value: payload.value, output)
      }
    }
    return stream
  }
}
