/// The answer of an operator to a value, or to the completion of its source.
@usableFromInline enum Step<Output, Failure: Error> {
  /// Emit nothing.
  case skip
  /// Emit a value.
  case value(Output)
  /// Emit a value, then complete.
  case last(Output)
  /// End.
  case end(Ending<Failure>)
}

/// The general operator that may end before its source does: the basis of `take(while:)`, `attemptMap`, `any` and
/// others.
@usableFromInline struct StepMap<Input, Memory, Output, Failure: Error>: Operator {
  @usableFromInline let initial: Memory
  @usableFromInline let next: (inout Memory, Input) -> Step<Output, Failure>
  @usableFromInline let finish: (Memory) -> Step<Output, Failure>

  /// Creates the operator; `finish` returns the step for the source's completion.
  @inlinable @inline(__always) init(
    _ initial: Memory, _ next: @escaping (inout Memory, Input) -> Step<Output, Failure>,
    finish: @escaping (Memory) -> Step<Output, Failure> = { _ in .skip }
  ) {
    self.initial = initial
    self.next = next
    self.finish = finish
  }

  @inlinable @inline(__always) func observer<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(
      link: Link(initial, downstream),
      value: { [next] link, value in StepMap.take(next(&link.memory, value), link.downstream) },
      ending: { [finish] link, ending in
        // An output that the last step has ended emits nothing more.
        if case .completed = ending { StepMap.take(finish(link.memory), link.downstream) }
        link.downstream.end(ending)
      })
  }

  @inlinable @inline(__always) static func take<Downstream: Receiver<Output, Failure>>(
    _ step: Step<Output, Failure>, _ downstream: Downstream
  ) {
    switch step {
    case .skip: break
    case .value(let value): downstream.receive(value)
    case .last(let value):
      downstream.receive(value)
      downstream.end(.completed)
    case .end(let ending): downstream.end(ending)
    }
  }
}
