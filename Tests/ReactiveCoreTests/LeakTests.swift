import ReactiveCore
import Testing

/// Something whose life is watched; operators' closures and values hold it.
private final class Held: Sendable {}

/// An operator under the microscope: it may hold what it is given as long as it works, and not longer.
struct LeakCase: Sendable, CustomTestStringConvertible {
  let name: String
  fileprivate let signal: @Sendable (Signal<Held, Failure>, TestScheduler, Held) -> Signal<Held, Failure>
  fileprivate let producer:
    @Sendable (SignalProducer<Held, Failure>, TestScheduler, Held) -> SignalProducer<Held, Failure>

  var testDescription: String { name }
}

/// How the stream is brought to its end.
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
    // The observation, the source and its input are still there.
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

  @Test(arguments: cases) func `a signal that nobody observes or can observe leaves its source`(_ leak: LeakCase) {
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

  @Test func `a property and what it is bound to let each other go`() {
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
  static let cases: [LeakCase] = [
    LeakCase(
      name: "map", signal: { signal, _, held in signal.map { _ in held } },
      producer: { producer, _, held in producer.map { _ in held } }),
    LeakCase(
      name: "filter", signal: { signal, _, held in signal.filter { $0 !== held } },
      producer: { producer, _, held in producer.filter { $0 !== held } }),
    LeakCase(
      name: "compactMap", signal: { signal, _, held in signal.compactMap { _ in held } },
      producer: { producer, _, held in producer.compactMap { _ in held } }),
    LeakCase(
      name: "scan", signal: { signal, _, held in signal.scan(held) { $1 } },
      producer: { producer, _, held in producer.scan(held) { $1 } }),
    LeakCase(
      name: "scanMap",
      signal: { signal, _, held in
        signal.scanMap(into: held) {
          $0 = $1; return held
        }
      },
      producer: { producer, _, held in
        producer.scanMap(into: held) {
          $0 = $1; return held
        }
      }),
    LeakCase(
      name: "skipRepeats", signal: { signal, _, held in signal.skipRepeats { $0 === held || $1 === held } },
      producer: { producer, _, held in producer.skipRepeats { $0 === held || $1 === held } }),
    LeakCase(
      name: "skip, take", signal: { signal, _, _ in signal.skip(first: 1).take(first: 3) },
      producer: { producer, _, _ in producer.skip(first: 1).take(first: 3) }),
    LeakCase(
      name: "take(first:) that has ended", signal: { signal, _, _ in signal.merge(with: signal).take(first: 10) },
      producer: { producer, _, _ in producer.take(first: 10) }),
    LeakCase(
      name: "merge", signal: { signal, _, _ in .merge(signal, signal.skip(first: 5)) },
      producer: { producer, _, _ in .merge(producer, .empty) }),
    LeakCase(
      name: "combineLatest", signal: { signal, _, _ in signal.combineLatest(with: signal).map { $0.1 } },
      producer: { producer, _, held in producer.combineLatest(with: SignalProducer(value: held)).map { $0.0 } }),
    LeakCase(
      name: "combineLatest of many", signal: { signal, _, _ in Signal.combineLatest([signal, signal]).map { $0[1] } },
      producer: { producer, _, held in
        SignalProducer.combineLatest([producer, SignalProducer(value: held)]).map { $0[0] }
      }),
    LeakCase(
      name: "withLatest",
      signal: { signal, _, _ in signal.withLatest(from: Signal<Held, Never>.never).map { $0.0 } },
      producer: { producer, _, held in producer.withLatest(from: SignalProducer(value: held)).map { $0.0 } }),
    LeakCase(
      name: "sample", signal: { signal, _, _ in signal.sample(on: signal.materialize().map(value: ())) },
      producer: { producer, _, _ in producer.sample(on: SignalProducer<(), Never>.empty) }),
    LeakCase(
      name: "take(until:)", signal: { signal, _, _ in signal.take(until: .never) },
      producer: { producer, _, _ in producer.take(until: .never) }),
    LeakCase(
      name: "window", signal: { signal, _, _ in signal.window(count: 3).map { $0[0] } },
      producer: { producer, _, _ in producer.window(count: 3).map { $0[0] } }),
    LeakCase(
      name: "window of time", signal: { signal, scheduler, _ in signal.window(3, on: scheduler).map { $0[0] } },
      producer: { producer, scheduler, _ in producer.window(3, on: scheduler).map { $0[0] } }),
    LeakCase(
      name: "debounce", signal: { signal, scheduler, _ in signal.debounce(100, on: scheduler) },
      producer: { producer, scheduler, _ in producer.debounce(100, on: scheduler) }),
    LeakCase(
      name: "throttle", signal: { signal, scheduler, _ in signal.throttle(100, on: scheduler) },
      producer: { producer, scheduler, _ in producer.throttle(100, on: scheduler) }),
    LeakCase(
      name: "delay", signal: { signal, scheduler, _ in signal.delay(5, on: scheduler) },
      producer: { producer, scheduler, _ in producer.delay(5, on: scheduler) }),
    LeakCase(
      name: "observe(on:)", signal: { signal, scheduler, _ in signal.observe(on: scheduler) },
      producer: { producer, scheduler, _ in producer.observe(on: scheduler) }),
    LeakCase(
      name: "materialize", signal: { signal, _, held in signal.materialize().map { $0.value ?? held }.promoted() },
      producer: { producer, _, held in
        producer.materialize().map { $0.value ?? held }.lift { $0.promoted() }
      }),
    LeakCase(
      name: "on", signal: { signal, _, held in signal.on(disposed: { withExtendedLifetime(held) {} }) },
      producer: { producer, _, held in producer.on(disposed: { withExtendedLifetime(held) {} }) }),
    LeakCase(
      name: "lift, concat, prefix", signal: { signal, _, _ in signal },
      producer: { producer, _, held in
        producer.lift { $0 }.prefix(value: held).concat(value: held)
      }),
    LeakCase(
      name: "replayLazily", signal: { signal, _, _ in signal },
      producer: { producer, _, _ in producer.replayLazily(upTo: 5) }),
  ]
}

extension Signal where Failure == Never {
  fileprivate func promoted() -> Signal<Value, ReactiveCoreTests.Failure> {
    Signal<Value, ReactiveCoreTests.Failure> { observer, lifetime in
      lifetime += observe(Observer(value: observer.send(value:), ending: { observer.send($0.promoted()) }))
    }
  }
}
