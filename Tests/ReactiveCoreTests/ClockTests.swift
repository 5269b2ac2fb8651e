import ReactiveCore
import Testing

/// The language's clocks as schedulers, and schedulers as its clocks.
@Suite(.endsIfItHangs) struct ClockTests {
  @Test func `a scheduler is one of the language's clocks`() async throws {
    let scheduler = TestScheduler()
    let sleeper = Task { try await Task.sleep(for: .seconds(5), clock: scheduler.clock) }
    while !scheduler.hasScheduledWork { await Task.yield() }
    let elapsed = scheduler.clock.measure { scheduler.advance(by: .seconds(5)) }
    #expect(elapsed == .seconds(5))
    try await sleeper.value
  }

  @Test func `an instant is as far from another as the language says`() {
    let (early, late) = (Instant(nanoseconds: 3), Instant(nanoseconds: 1_000_000_003))
    #expect(early.advanced(by: .seconds(1)) == late)
    #expect(late.duration(to: early) == .seconds(-1))
  }

  @Test func `a scheduler by one of the language's clocks carries out what is due, in order`() async {
    let virtual = TestScheduler()
    let scheduler = ClockScheduler(virtual.clock)
    let (lines, line) = AsyncStream<String>.makeStream()
    let moment = scheduler.currentDate + .seconds(2)
    scheduler.schedule(after: moment) { line.yield("b") }
    scheduler.schedule(after: .seconds(1)) { line.yield("a") }
    scheduler.schedule(after: moment) { line.yield("c") }
    scheduler.schedule(after: moment) { line.yield("never") }?.dispose()
    scheduler.schedule { line.yield("now") }
    var seen = lines.makeAsyncIterator()
    #expect(await seen.next() == "now")
    await virtual.advance(toWorkAt: .seconds(1))
    #expect(await seen.next() == "a")
    await virtual.advance(toWorkAt: .seconds(2))
    #expect(await seen.next() == "b")
    #expect(await seen.next() == "c")
    #expect(scheduler.currentDate == moment)
  }

  @Test func `a scheduler by one of the language's clocks repeats work until it is disposed of`() async {
    let virtual = TestScheduler()
    let scheduler = ClockScheduler(virtual.clock)
    let (dates, date) = AsyncStream<Instant>.makeStream()
    let timer = scheduler.schedule(after: .seconds(1), interval: .seconds(2)) { date.yield(scheduler.currentDate) }
    var seen = dates.makeAsyncIterator()
    for second in [1, 3, 5] {
      await virtual.advance(toWorkAt: .seconds(second))
      #expect(await seen.next() == .zero + .seconds(second))
    }
    timer?.dispose()
    #expect(timer?.isDisposed == true)
  }

  @Test func `operators wait by one of the language's clocks`() async {
    let virtual = TestScheduler()
    let scheduler = ClockScheduler(virtual.clock)
    let (values, value) = AsyncStream<Int>.makeStream()
    let (signal, input) = Signal<Int, Never>.pipe()
    signal.debounce(.seconds(3), on: scheduler).observeValues { value.yield($0) }
    input.send(value: 1)
    input.send(value: 2)
    await virtual.advance(toWorkAt: .seconds(3))
    var seen = values.makeAsyncIterator()
    #expect(await seen.next() == 2)
  }
}

extension TestScheduler {
  /// Advances to `time` after the clock's zero, once a task waits on this clock.
  fileprivate func advance(toWorkAt time: Duration) async {
    while !hasScheduledWork { await Task.yield() }
    advance(to: .zero + time)
  }
}
