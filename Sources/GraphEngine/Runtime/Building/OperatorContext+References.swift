package import GraphModel
package import JSON
import Signals

// Access of operators to the signals that their parameters name.

extension OperatorContext {
  /// Returns the stream of another signal, which runs from this body's start.
  package func stream(of reference: SignalReference) -> Stream {
    switch reference.target {
    case .named(let name):
      body.stage(reference.index) {
        signal(named: name).stream(for: body, at: DeclaredPlace(signal: signal, index: reference.index))
      }
    case .inline(let declared): body.stream(of: declared, onError: onError)
    }
  }

  /// Returns the stream of another signal as an input that resubscribes when its origin is restarted.
  package func input(of reference: SignalReference) -> RestartableInput {
    let again = again(reference.names) { body in
      OperatorContext(body: body, step: step, onError: onError).stream(of: reference)
    }
    return RestartableInput(stream(of: reference), again: again)
  }

  /// Returns the operator's own input stream, as an input that the operator outlives.
  package func input(_ stream: Stream) -> RestartableInput {
    guard let upstream else { return RestartableInput(stream) }
    return RestartableInput(stream, again: again(upstream.names, upstream.make))
  }

  private func again(_ names: [String], _ make: @escaping (RunningBody) -> Stream) -> RestartableInput.Again {
    RestartableInput.Again(names: names, owner: body, place: place.index, make: make)
  }

  /// Returns a recipe for another signal, which is started whenever it is chosen.
  ///
  /// - Parameter values: The variables of its expressions, in the order of the parameter's variables.
  package func recipe(of reference: SignalReference, seeing values: JSONValue...) -> Recipe {
    recipe(of: reference, seeing: values, view: .fromNowOn)
  }

  /// Returns a recipe for one of the signals that are chosen among in each turn, once they have all settled.
  package func choice(of reference: SignalReference) -> Recipe {
    remember([reference])
    return recipe(of: reference, seeing: [], view: .presentTurn)
  }

  /// Makes signals record each turn's values, for operators that choose them in that turn.
  package func remember(_ references: [SignalReference]) {
    for name in references.flatMap(\.names) { signal(named: name).recordTurns() }
  }

  private func recipe(
    of reference: SignalReference, seeing values: [JSONValue], view: RunningBody.View
  ) -> Recipe {
    body.recipe(at: place, adding: values, view: view) { [self] body in
      OperatorContext(body: body, step: step, onError: onError).stream(of: reference)
    }
  }

  /// Returns the values of the signals that an input chooses, as `strategy` selects them.
  ///
  /// - Parameters:
  ///   - references: All signals that may be chosen.
  ///   - waiting: The queue of values that wait.
  ///   - choice: Returns the recipe for a value; it may refuse one and report that to the observer.
  package func choosing(
    by input: RestartableInput, among references: [SignalReference], _ strategy: Chooser.Strategy,
    waiting: Waiting<Payload>? = nil, _ choice: @escaping (Payload, StreamObserver) -> Recipe?
  ) -> Stream {
    Chooser.stream(
      of: input.through { gated($0, before: references) }, in: signal, strategy,
      waiting ?? Waiting(limit: defaultWaiting, self), choice)
  }

  /// Returns the operator's input, settled before the signals that it chooses among.
  ///
  /// It is returned unchanged if those depend on no other signal.
  package func gated(_ input: Stream, before references: [SignalReference]) -> Stream {
    references.contains { !$0.names.isEmpty } ? Gate.stream(of: input, at: entry) : input
  }

  package func gated(_ input: Stream, before reference: SignalReference) -> Stream { gated(input, before: [reference]) }

  package func gated(_ input: Recipe, before references: [SignalReference]) -> Recipe {
    input.through { gated($0, before: references) }
  }
}

/// A stream that delays the events of a turn until it is settled.
///
/// A signal that is chosen while a graph runs observes the others through gates, so that it makes no difference whether
/// it was chosen before or after they emitted in a turn.
enum Gate {
  static func stream(of input: Stream, at place: DeclaredPlace) -> Stream {
    Join.stream(of: [RestartableInput(input)], at: place) { inbox, output in
      for event in inbox[0] { output.send(event) }
    }
  }
}
