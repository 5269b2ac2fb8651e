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

/// An operator given by a function that makes its observer from that of its outputs.
@usableFromInline struct Leading<Input, Failure: Error, Output, OutputFailure: Error>: Operator {
  @usableFromInline let lead: (Observer<Output, OutputFailure>) -> Observer<Input, Failure>

  @inlinable init(_ lead: @escaping (Observer<Output, OutputFailure>) -> Observer<Input, Failure>) { self.lead = lead }

  @inlinable func observer<Downstream: Receiver<Output, OutputFailure>>(
    for downstream: Downstream
  ) -> Observer<Input, Failure> {
    lead(Observer(sendingTo: downstream))
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
  /// Returns a signal that an observer makes of this one's events, for a layer with operators of its own.
  ///
  /// - Parameter lead: Makes the observer of this signal. What it is given sends to the result, and may be sent to only
  ///   while it receives an event.
  @inlinable package func leading<U, F>(
    through lead: @escaping (Signal<U, F>.Observer) -> Observer
  ) -> Signal<U, F> {
    apply(Leading(lead))
  }
}
