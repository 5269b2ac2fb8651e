import ReactiveCore
import Testing

/// An operator that delivers its events on a scheduler.
private struct Handing: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let apply: @Sendable (SignalProducer<Int, Never>, TestScheduler) -> SignalProducer<Int, Never>

  init(
    _ name: String,
    _ apply: @escaping @Sendable (SignalProducer<Int, Never>, TestScheduler) -> SignalProducer<Int, Never>
  ) {
    testDescription = name
    self.apply = apply
  }

  static let all = [
    Handing("observe(on:)") { $0.observe(on: $1) },
    Handing("lazyMap") { $0.lazyMap(on: $1) { $0 } },
    Handing("delay") { $0.delay(0, on: $1) },
    Handing("debounce") { $0.debounce(0, on: $1) },
    Handing("throttle") { $0.throttle(0, on: $1) },
    Handing("collect(every:)") { $0.collect(every: .seconds(1), on: $1).map(\.count) },
    Handing("one after the other") { $0.delay(0, on: $1).map { $0 + 1 }.observe(on: $1).filter { _ in true } },
  ]
}

@Suite(.endsIfItHangs) struct ScheduledInterruptionTests {
  @Test(arguments: Handing.all)
  private func `the interruption of a run that hands its events to a scheduler comes through it`(_ handing: Handing) {
    let scheduler = TestScheduler()
    var events: [String] = []
    var isLeft = false
    let source = SignalProducer<Int, Never> { observer, lifetime in
      lifetime.observeEnded { isLeft = true }
      observer.send(value: 1)
      observer.send(value: 2)
    }
    let run = handing.apply(source, scheduler).start { events.append("\($0)") }
    run.dispose()
    #expect(events == [])
    #expect(isLeft, "the source is left at once")
    scheduler.advance(by: .seconds(2))
    #expect(events == ["INTERRUPTED"])
  }

  @Test func `an inner run that was replaced sends nothing when its scheduler comes to it`() {
    let scheduler = TestScheduler()
    let (outer, input) = Signal<Int, Never>.pipe()
    var events: [String] = []
    outer.flatMap(.latest) { number in
      SignalProducer<Int, Never>.never.prefix(value: number).observe(on: scheduler)
    }.observe { events.append("\($0)") }
    input.send(value: 1)
    input.send(value: 2)
    input.sendCompleted()
    scheduler.advance()
    #expect(events == ["VALUE 2"])
  }

  @Test func `an interruption through the scheduler at hand comes after the value under way`() {
    var events: [String] = []
    let run = SerialDisposable()
    SignalProducer<Int, Never>([1, 2]).observe(on: ImmediateScheduler()).startWithSignal { signal, handle in
      run.inner = handle
      signal.observe { event in
        events.append("\(event)")
        run.dispose()
        events.append("disposed")
      }
    }
    #expect(events == ["VALUE 1", "disposed", "INTERRUPTED", "disposed"])
  }
}
