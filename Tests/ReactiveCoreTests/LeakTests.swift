import ReactiveCore
import Testing

/// An object whose lifetime is checked; operators' closures and values hold it.
final class Held: Sendable {}

/// An operator under test: it may hold its arguments as long as it works, and not longer.
struct LeakCase: Sendable, CustomTestStringConvertible {
  let name: String
  let signal: @Sendable (Signal<Held, Failure>, TestScheduler, Held) -> Signal<Held, Failure>
  let producer: @Sendable (SignalProducer<Held, Failure>, TestScheduler, Held) -> SignalProducer<Held, Failure>

  var testDescription: String { name }
}

/// The ways in which the stream ends.
enum End: CaseIterable { case completed, failed, interrupted, disposed }

@Suite struct LeakTests {
  @Test(arguments: cases, End.allCases)
  func `a signal that has ended or was disposed of holds nothing`(_ leak: LeakCase, _ end: End) {
    let scheduler = TestScheduler()
    let (source, input) = Signal<Held, Failure>.pipe()
    weak var captured: Held?
    weak var sent: Held?
    var observation: (any Disposable)?
    do {
      let (closure, value) = (Held(), Held())
      (captured, sent) = (closure, value)
      let output = leak.signal(source, scheduler, closure)
      observation = output.observe { _ in withExtendedLifetime(closure) {} }
      input.send(value: value)
      input.send(value: value)
    }
    #expect(captured != nil, "an unfinished signal holds what its observers capture")
    finish(end, input, observation)
    scheduler.advance(by: .seconds(10))
    // The observation, the source and its input still exist.
    #expect(captured == nil)
    #expect(sent == nil)
    withExtendedLifetime((source, input, observation)) {}
  }

  @Test(arguments: cases, End.allCases)
  func `a run that has ended or was disposed of holds nothing`(_ leak: LeakCase, _ end: End) {
    let scheduler = TestScheduler()
    var input: SignalProducer<Held, Failure>.Observer?
    weak var captured: Held?
    weak var sent: Held?
    weak var resource: Held?
    var run: (any Disposable)?
    do {
      let (closure, value) = (Held(), Held())
      (captured, sent) = (closure, value)
      let source = SignalProducer<Held, Failure> { observer, lifetime in
        input = observer
        let held = Held()
        resource = held
        lifetime.observeEnded { withExtendedLifetime(held) {} }
      }
      run = leak.producer(source, scheduler, closure).start { _ in withExtendedLifetime(closure) {} }
      input?.send(value: value)
      input?.send(value: value)
    }
    #expect(captured != nil)
    #expect(resource != nil)
    if let input { finish(end, input, run) }
    scheduler.advance(by: .seconds(10))
    #expect(captured == nil)
    #expect(sent == nil)
    #expect(resource == nil)
    withExtendedLifetime((input, run)) {}
  }

  @Test(arguments: cases) func `a signal that has and can have no observers disconnects from its source`(
    _ leak: LeakCase
  ) {
    let scheduler = TestScheduler()
    let (source, input) = Signal<Held, Failure>.pipe()
    weak var captured: Held?
    do {
      let closure = Held()
      captured = closure
      _ = leak.signal(source, scheduler, closure).filter { _ in withExtendedLifetime(closure) { true } }
    }
    #expect(captured == nil)
    withExtendedLifetime((source, input)) {}
  }

  @Test func `a property and what it is bound to release each other`() {
    weak var captured: Held?
    weak var view: Property<Int>?
    let source = MutableProperty(0)
    do {
      let closure = Held()
      captured = closure
      let derived = source.map { value in withExtendedLifetime(closure) { value } }
      view = derived
      let target = MutableProperty(0)
      target <~ derived
      target.producer.start()
      #expect(derived.value == 0)
    }
    #expect(view == nil)
    #expect(captured == nil)
  }

  private func finish(_ end: End, _ input: Observer<Held, Failure>, _ disposable: (any Disposable)?) {
    switch end {
    case .completed: input.sendCompleted()
    case .failed: input.send(error: Failure(code: 1))
    case .interrupted: input.sendInterrupted()
    case .disposed: disposable?.dispose()
    }
  }
}

extension LeakTests {
  /// The cases of all families, one file each.
  static let cases: [LeakCase] = [
    transformCases,
    filterCases,
    timeCases,
    combineCases,
    nestedCases,
    successionCases,
    effectsCases,
    sharingCases,
  ].flatMap { $0 }
}
