/// The general fold: the basis of `scan`, `skipRepeats`, `window` and others.
@usableFromInline struct ScanMap<Input, Memory, Output, Failure: Error>: Operator {
  @usableFromInline let initial: Memory
  @usableFromInline let next: (inout Memory, Input) -> Output?

  @inlinable init(_ initial: Memory, _ next: @escaping (inout Memory, Input) -> Output?) {
    self.initial = initial
    self.next = next
  }

  /// Creates the operator of a step that returns the next state and an output.
  @inlinable init(_ initial: Memory, stepping next: @escaping (Memory, Input) -> (Memory, Output)) {
    self.init(initial) { memory, value in
      let (following, output) = next(memory, value)
      memory = following
      return output
    }
  }

  @inlinable @inline(__always) func observer<Downstream: Receiver<Output, Failure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    Observer(
      link: Link(initial, downstream),
      value: { [next] link, value in
        if let output = next(&link.memory, value) { link.downstream.receive(output) }
      },
      ending: { $0.downstream.end($1) })
  }
}

extension Signal {
  /// A fold that emits an output at each step and keeps its state to itself.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first value, which is not emitted.
  ///   - next: Changes the state by a value, and returns the output.
  @inlinable @inline(__always) public func scanMap<State, U>(
    into initialState: State, _ next: @escaping (inout State, Value) -> U
  ) -> Signal<U, Failure> {
    apply(ScanMap(initialState) { next(&$0, $1) })
  }

  /// A fold whose step gives the next state and an output.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first value, which is not emitted.
  ///   - next: Makes the next state, and the output, from the state and a value.
  @inlinable @inline(__always) public func scanMap<State, U>(
    _ initialState: State, _ next: @escaping (State, Value) -> (State, U)
  ) -> Signal<U, Failure> {
    apply(ScanMap(initialState, stepping: next))
  }
}

extension SignalProducer {
  /// A fold that emits an output at each step and keeps its state to itself.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first value, which is not emitted.
  ///   - next: Changes the state by a value, and returns the output.
  @inlinable @inline(__always) public func scanMap<State, U>(
    into initialState: State, _ next: @escaping (inout State, Value) -> U
  ) -> SignalProducer<U, Failure> {
    apply(ScanMap(initialState) { next(&$0, $1) })
  }

  /// A fold whose step gives the next state and an output.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first value, which is not emitted.
  ///   - next: Makes the next state, and the output, from the state and a value.
  @inlinable @inline(__always) public func scanMap<State, U>(
    _ initialState: State, _ next: @escaping (State, Value) -> (State, U)
  ) -> SignalProducer<U, Failure> {
    apply(ScanMap(initialState, stepping: next))
  }
}
