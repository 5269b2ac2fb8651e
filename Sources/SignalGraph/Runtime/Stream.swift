import JSON
import ReactiveCore

/// What runs through a graph: JSON that nobody has looked into yet, and failures with a code.
typealias Stream = Signal<Payload, SignalFailure>
typealias StreamObserver = Signal<Payload, SignalFailure>.Observer

extension Signal where Value == Payload, Failure == SignalFailure {
  /// The stream behind a pipe of operators.
  func through(_ pipe: [PreparedOperator], in context: OperatorContext) -> Stream {
    pipe.reduce(self) { $1.apply($0, context.named($1.name)) }
  }

  /// A stream that `body` makes from each value; endings pass through.
  func through(_ body: @escaping (Payload, StreamObserver) -> Void) -> Stream {
    let (stream, output) = Stream.pipe()
    observe(
      StreamObserver(value: { body($0, output) }, ending: { output.send($0) }))
    return stream
  }
}
