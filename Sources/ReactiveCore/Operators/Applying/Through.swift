/// An operator given by its closures for a value and for the ending.
@usableFromInline struct Through<Input, Failure: Error, Output, OutputFailure: Error>: Operator {
  @usableFromInline let value: (Input, Observer<Output, OutputFailure>) -> Void
  @usableFromInline let ending: (Ending<Failure>, Observer<Output, OutputFailure>) -> Void

  @inlinable init(
    value: @escaping (Input, Observer<Output, OutputFailure>) -> Void,
    ending: @escaping (Ending<Failure>, Observer<Output, OutputFailure>) -> Void
  ) {
    self.value = value
    self.ending = ending
  }

  @inlinable func observer<Downstream: Receiver<Output, OutputFailure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    let output = Observer(sendingTo: downstream)
    return Observer(
      link: downstream, value: { [value] _, next in value(next, output) },
      ending: { [ending] _, last in ending(last, output) })
  }
}

extension Observer {
  @inlinable init<Downstream: Receiver<Value, Failure>>(sendingTo downstream: Downstream) {
    self.init(link: downstream, value: { $0.receive($1) }, ending: { $0.end($1) })
  }
}

extension Signal {
  /// Returns a signal that two closures make of this one's values and ending, for a layer with operators of its own.
  ///
  /// Their observer may be sent to only until they return.
  @inlinable package func through<U, F>(
    value: @escaping (Value, Signal<U, F>.Observer) -> Void,
    ending: @escaping (Ending<Failure>, Signal<U, F>.Observer) -> Void
  ) -> Signal<U, F> {
    apply(Through(value: value, ending: ending))
  }
}
