package import GraphEngine
package import GraphModel
package import JSON
package import Signals

// Instrumentation: each part of a graph is wrapped when it is built.

extension ProvenanceRecorder: GraphWatch {
  /// Records a new body.
  package func begin(_ body: RunningBody) {
    let number = countBody(body)
    if let top { origins[number] = top }
  }

  /// Records a body that starts as part of another one.
  package func note(_ body: RunningBody, asPartOf parent: RunningBody) {
    note(number(of: body), within: number(of: parent))
  }

  /// Instruments a stream.
  package func tap(_ stream: Stream, at index: Int, of body: RunningBody) -> Stream {
    let place = prepare(index, of: body)
    return stream.through(
      value: { [self] payload, output in
        pass(.next(payload, sequence: 0), at: place) { output.send(value: payload) }
      },
      ending: { [self] ending, output in pass(.ended(SignalEnding(ending)), at: place) { output.send(ending) } })
  }

  /// Instruments the step for each value.
  package func tap(_ step: @escaping Step, at index: Int, of body: RunningBody) -> Step {
    let place = prepare(index, of: body)
    return { [self] payload, output in
      step(
        payload,
        StreamObserver(
          value: { [self] made in pass(.next(made, sequence: 0), at: place) { output.send(value: made) } },
          ending: { [self] ending in pass(.ended(SignalEnding(ending)), at: place) { output.send(ending) } }))
    }
  }

  private func prepare(_ index: Int, of body: RunningBody) -> Int {
    let place = place(body.signal.name, body: number(of: body), index: index)
    if body.placesWithMemory.contains(index) {
      lookouts[place] = { [weak body] in body?.remembered(at: index).flatMap(RememberedValues.of) ?? [] }
    }
    return place
  }

  private func pass(_ event: SignalEvent, at place: Int, _ send: () -> Void) {
    within(note(.output(event), at: place, others: origins[places[place].body].map { [$0] } ?? []), send)
  }

  /// Records an error that leaves its signal and bypasses the downstream operators.
  package func leaving(_ error: Payload, at index: Int, of body: RunningBody, _ send: () -> Void) {
    within(note(.output(.next(error, sequence: 0)), at: place(body.signal.name, body: -1, index: index)), send)
  }

  /// Records the emission of a named signal.
  package func emit(_ event: SignalEvent, by signal: RunningSignal, _ send: () -> Void) {
    within(note(.emitted(event), at: place(signal.name, body: 0, index: 0)), send)
  }

  /// Instruments a join: its collection of events, and its rule.
  package func joining(at place: DeclaredPlace) -> (collected: () -> Void, settling: (_ rule: () -> Void) -> Void) {
    let inputs = CollectedInputs()
    let place = self.place(place.signal.name, body: 0, index: place.index)
    return (
      { [self] in if let top { inputs.numbers.append(top) } },
      { [self] rule in
        let others = inputs.numbers
        inputs.numbers = []
        within(note(.joined, at: place, others: others), rule)
      }
    )
  }

  /// Instruments the action of a timer.
  package func timing(_ due: Instant, at place: DeclaredPlace?, _ action: @escaping () -> Void) -> () -> Void {
    let setter = top
    let place = place.map { self.place($0.signal.name, body: 0, index: $0.index) }
    if let place { noteTimer(of: place, due: due) }
    return { [self] in
      within(note(.timer(due: due), at: place, others: setter.map { [$0] } ?? []), action)
    }
  }

  /// Instruments a turn opened by another one.
  package func sending(to target: String, _ action: @escaping () -> Void) -> () -> Void {
    guard let sender = top else { return action }
    return { [self] in
      within(note(.sent, at: place(target, body: 0, index: 0), others: [sender]), action)
    }
  }

  package func refuse(_ refusal: RefusedValue) {
    _ = note(.refused(refusal), at: place(refusal.signal, body: 0, index: 0))
  }
}

/// The events that a join has collected in a turn.
private final class CollectedInputs {
  var numbers: [Int] = []
}
