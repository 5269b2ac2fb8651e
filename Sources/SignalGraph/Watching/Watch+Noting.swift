import JSON
import ReactiveCore

// How the parts of a graph are watched: each is wrapped as it is built.

extension Watch {
  /// A body is made.
  func begin(_ body: RunningBody) {
    let number = countBody(body)
    if let top { origins[number] = top }
  }

  /// A body is started as a part of another one.
  func note(_ body: RunningBody, asPartOf parent: RunningBody) {
    note(number(of: body), within: number(of: parent))
  }

  /// A stream as it is, watched.
  func tap(_ stream: Stream, at index: Int, of body: RunningBody) -> Stream {
    let place = prepare(index, of: body)
    return stream.through(
      value: { [self] payload, output in
        pass(.next(payload, sequence: 0), at: place) { output.send(value: payload) }
      },
      ending: { [self] ending, output in pass(.ended(SignalEnding(ending)), at: place) { output.send(ending) } })
  }

  /// The work on each value, watched.
  func tap(_ step: @escaping Step, at index: Int, of body: RunningBody) -> Step {
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

  /// A named signal tells its listeners something.
  func tell(_ event: SignalEvent, by signal: RunningSignal, _ send: () -> Void) {
    within(note(.told(event), at: place(signal.name, body: 0, index: 0)), send)
  }

  /// The rule of a join, and how it takes events in, watched.
  func joining(
    at place: DeclaredPlace, _ rule: @escaping (Join.Inbox, StreamObserver) -> Void
  ) -> (collected: () -> Void, rule: (Join.Inbox, StreamObserver) -> Void) {
    let inputs = CollectedInputs()
    let place = self.place(place.signal.name, body: 0, index: place.index)
    return (
      { [self] in if let top { inputs.numbers.append(top) } },
      { [self] inbox, output in
        let others = inputs.numbers
        inputs.numbers = []
        within(note(.joined, at: place, others: others)) { rule(inbox, output) }
      }
    )
  }

  /// The action of a timer, watched.
  func timing(_ due: Instant, at place: DeclaredPlace?, _ action: @escaping () -> Void) -> () -> Void {
    let setter = top
    let place = place.map { self.place($0.signal.name, body: 0, index: $0.index) }
    if let place { noteTimer(of: place, due: due) }
    return { [self] in
      within(note(.timer(due: due), at: place, others: setter.map { [$0] } ?? []), action)
    }
  }

  /// A turn that another one opens, watched.
  func sending(to target: String, _ action: @escaping () -> Void) -> () -> Void {
    guard let sender = top else { return action }
    return { [self] in
      within(note(.sent, at: place(target, body: 0, index: 0), others: [sender]), action)
    }
  }

  func refuse(_ refusal: RefusedValue) { _ = note(.refused(refusal), at: place(refusal.signal, body: 0, index: 0)) }
}

/// The events that a join has collected in a turn.
private final class CollectedInputs {
  var numbers: [Int] = []
}
