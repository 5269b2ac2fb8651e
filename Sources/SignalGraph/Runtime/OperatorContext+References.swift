import JSON
import ReactiveCore

// How an operator gets at the signals that its parameters name.

extension OperatorContext {
  /// The stream of another signal, which runs from this body's start on.
  func stream(of reference: SignalReference) -> Stream {
    switch reference.target {
    case .named(let name):
      body.stage(reference.index) {
        signal(named: name).stream(for: body, at: DeclaredPlace(signal: signal, index: reference.index))
      }
    case .inline(let declared): body.stream(of: declared, onError: onError)
    }
  }

  /// The same as an input that is heard again when what it comes from is restarted.
  func input(of reference: SignalReference) -> RenewableInput {
    let again = again(reference.names) { body in
      OperatorContext(body: body, step: step, onError: onError).stream(of: reference)
    }
    return RenewableInput(stream(of: reference), again: again)
  }

  /// The stream that the operator hangs on, as an input that it outlives.
  func input(_ stream: Stream) -> RenewableInput {
    guard let upstream else { return RenewableInput(stream) }
    return RenewableInput(stream, again: again(upstream.names, upstream.make))
  }

  private func again(_ names: [String], _ make: @escaping (RunningBody) -> Stream) -> RenewableInput.Again {
    RenewableInput.Again(names: names, owner: body, place: place.index, make: make)
  }

  /// Another signal, to be started whenever it is chosen.
  ///
  /// - Parameter values: The variables of its expressions, in the order of the parameter's variables.
  func recipe(of reference: SignalReference, seeing values: JSONValue...) -> Recipe {
    recipe(of: reference, seeing: values, view: .fromNowOn)
  }

  /// The same for one of those among which a signal chooses in each turn, once they have all settled.
  func choice(of reference: SignalReference) -> Recipe {
    remember([reference])
    return recipe(of: reference, seeing: [], view: .presentTurn)
  }

  /// Has signals remember each turn's values for those that choose them in that turn.
  func remember(_ references: [SignalReference]) {
    for name in references.flatMap(\.names) { signal(named: name).recordTurns() }
  }

  private func recipe(
    of reference: SignalReference, seeing values: [JSONValue], view: RunningBody.View
  ) -> Recipe {
    body.recipe(at: place, adding: values, view: view) { [self] body in
      OperatorContext(body: body, step: step, onError: onError).stream(of: reference)
    }
  }

  /// The values of the signals that an input chooses, of those that `strategy` listens to.
  ///
  /// - Parameters:
  ///   - references: All that may be chosen.
  ///   - waiting: The place of values that wait for their turn.
  ///   - choice: Makes the choice of a value; it may refuse one, and say so to the observer.
  func choosing(
    by input: RenewableInput, among references: [SignalReference], _ strategy: Chooser.Strategy,
    waiting: Waiting<Payload>? = nil, _ choice: @escaping (Payload, StreamObserver) -> Recipe?
  ) -> Stream {
    Chooser.stream(
      of: input.through { gated($0, before: references) }, in: signal, strategy,
      waiting ?? Waiting(limit: defaultWaiting, self), choice)
  }

  /// The input that an operator hangs on, settled before the signals that it chooses among.
  ///
  /// If those depend on no other signal, it stays as it is.
  func gated(_ input: Stream, before references: [SignalReference]) -> Stream {
    references.contains { !$0.names.isEmpty } ? Gate.stream(of: input, at: entry) : input
  }

  func gated(_ input: Stream, before reference: SignalReference) -> Stream { gated(input, before: [reference]) }

  func gated(_ input: Recipe, before references: [SignalReference]) -> Recipe {
    input.through { gated($0, before: references) }
  }
}

/// A stream whose events of a turn are held back until it is settled.
///
/// A signal that is chosen while a graph runs sees the others through gates: whether it was chosen before or after they
/// made their values of a turn then makes no difference.
enum Gate {
  static func stream(of input: Stream, at place: DeclaredPlace) -> Stream {
    Join.stream(of: [RenewableInput(input)], at: place) { inbox, output in
      for event in inbox[0] { output.send(event) }
    }
  }
}
