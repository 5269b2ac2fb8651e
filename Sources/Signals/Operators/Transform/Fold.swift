/// Updates a state with each value, and emits its result when the source completes: `reduce`, `count` and others.
@usableFromInline struct Fold<Input, Memory, Output, Failure: Error>: Operator {
  @usableFromInline let initial: Memory
  @usableFromInline let next: (inout Memory, Input) -> Void
  @usableFromInline let finish: (Memory) -> Output?

  @inlinable @inline(__always) init(
    _ initial: Memory, _ next: @escaping (inout Memory, Input) -> Void, finish: @escaping (Memory) -> Output?
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
      value: { [next] link, value in next(&link.memory, value) },
      ending: { [finish] link, ending in
        if case .completed = ending, let output = finish(link.memory) { link.downstream.receive(output) }
        link.downstream.end(ending)
      })
  }
}
