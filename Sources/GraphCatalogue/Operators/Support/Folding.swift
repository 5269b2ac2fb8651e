import GraphEngine
import GraphModel
import JSON
import Signals

// Operators that emit one result about all values at completion.

extension Signal where Value == Payload, Failure == SignalFailure {
  /// Folds the values and emits the result of the final state at completion, unless it is `nil`.
  func folding<State: StateCodable>(
    _ context: OperatorContext, _ initial: State, _ next: @escaping (inout State, Payload, StreamObserver) -> Void,
    result: @escaping (State) -> JSONValue?
  ) -> Stream {
    let state = context.cell(initial)
    return through(
      value: { next(&state.value, $0, $1) },
      ending: { ending, output in
        if case .completed = ending, let value = result(state.value) { output.send(value: .value(value)) }
        output.send(ending)
      })
  }

  /// Emits one value as soon as it is known, and completes; at completion, emits the result of `otherwise` or fails.
  func deciding(
    _ decide: @escaping (Payload, StreamObserver) -> Payload?,
    otherwise: @escaping () -> Result<Payload?, SignalFailure>
  ) -> Stream {
    through(
      value: { payload, output in
        guard let decided = decide(payload, output) else { return }
        output.send(value: decided)
        output.sendCompleted()
      },
      ending: { ending, output in
        guard case .completed = ending else { return output.send(ending) }
        switch otherwise() {
        case .success(let value):
          if let value { output.send(value: value) }
          output.sendCompleted()
        case .failure(let failure): output.send(error: failure)
        }
      })
  }
}
