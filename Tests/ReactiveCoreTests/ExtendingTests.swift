import ReactiveCore
import Testing

private struct Lamp: ReactiveExtensionsProvider {
  let colour: String
}

extension Reactive where Base == Lamp {
  fileprivate var colours: SignalProducer<String, Never> { SignalProducer(value: base.colour) }
  fileprivate static var kinds: SignalProducer<Int, Never> { SignalProducer(values: 1, 2) }
}

extension Signal where Value: OptionalProtocol, Error == Never {
  fileprivate var presence: Signal<Bool, Never> { map { $0.optional != nil } }
}

extension Signal where Value: EventProtocol, Error == Never {
  fileprivate var valueCount: Signal<Int, Never> { scan(0) { $0 + ($1.event.value == nil ? 0 : 1) } }
}

private enum Trouble: Swift.Error { case some }

/// Returns the events of a producer's run, as a log.
private func log<Value, Failure>(_ producer: SignalProducer<Value, Failure>) -> [String] {
  var events: [String] = []
  producer.start { events.append("\($0)") }
  return events
}

@Suite struct ExtendingTests {
  @Test func `a type offers signals under reactive`() {
    #expect(log(Lamp(colour: "red").reactive.colours) == ["VALUE red", "COMPLETED"])
    #expect(log(Lamp.reactive.kinds) == ["VALUE 1", "VALUE 2", "COMPLETED"])
  }

  @Test func `an extension may ask for optional values or for events`() {
    let (optionals, optionalInput) = Signal<Int?, Never>.pipe()
    let (events, eventInput) = Signal<Event<Int, Trouble>, Never>.pipe()
    var seen: [String] = []
    optionals.presence.observeValues { seen.append("\($0)") }
    events.valueCount.observeValues { seen.append("\($0)") }
    optionalInput.send(value: nil)
    optionalInput.send(value: 1)
    eventInput.send(value: .value(7))
    eventInput.send(value: .failed(.some))
    #expect(seen == ["false", "true", "1", "1"])
  }

  @Test func `each ending has an observer of its own`() {
    var seen: [String] = []
    for ending: Ending<Trouble> in [.completed, .failed(.some), .interrupted] {
      let (signal, input) = Signal<Int, Trouble>.pipe()
      signal.observeResult { result in
        switch result {
        case .success(let value): seen.append("value \(value)")
        case .failure(let error): seen.append("error \(error)")
        }
      }
      signal.observeFailed { seen.append("failed \($0)") }
      signal.observeCompleted { seen.append("completed") }
      signal.observeInterrupted { seen.append("interrupted") }
      input.send(value: 1)
      input.send(ending)
    }
    #expect(
      seen == [
        "value 1", "completed", "value 1", "error some", "failed some", "value 1", "interrupted",
      ])
  }

  @Test func `what a producer can be made of is inferred`() {
    let given = SignalProducer([1, 2])
    let computation: () throws -> Int = { throw Trouble.some }
    let computed = SignalProducer(computation)
    let results = SignalProducer(Result<Int, Trouble>.failure(.some))
    let (signal, input) = Signal<Int, Never>.unserializedPipe()
    input.sendCompleted()
    #expect(log(given as SignalProducer<Int, Never>) == ["VALUE 1", "VALUE 2", "COMPLETED"])
    #expect(log(computed as SignalProducer<Int, any Error>) == ["FAILED some"])
    #expect(log(results as SignalProducer<Int, Trouble>) == ["FAILED some"])
    #expect(log(SignalProducer(signal)) == ["INTERRUPTED"])
  }
}
