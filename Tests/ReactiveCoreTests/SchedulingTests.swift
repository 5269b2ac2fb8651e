import Dispatch
import ReactiveCore
import Testing

@Suite(.endsIfItHangs) struct SchedulingTests {
  @Test func `virtual time repeats work after a delay`() {
    let scheduler = TestScheduler()
    var dates: [Int64] = []
    let work = scheduler.schedule(after: .seconds(1), interval: .seconds(2)) {
      dates.append(scheduler.currentDate.nanoseconds / 1_000_000_000)
    }
    scheduler.advance(by: .seconds(5))
    #expect(dates == [1, 3, 5])
    work?.dispose()
    scheduler.run()
    #expect(dates == [1, 3, 5])
    #expect(scheduler.currentDate == .distantFuture)
  }

  @Test func `advancing without a duration lets a nanosecond pass`() {
    let scheduler = TestScheduler()
    var runs = 0
    scheduler.schedule { runs += 1 }
    scheduler.advance()
    #expect(runs == 1)
    #expect(scheduler.currentDate == Instant(nanoseconds: 1))
  }

  @Test func `start(on:) begins the work on its scheduler, unless it is disposed of before`() {
    let scheduler = TestScheduler()
    var log: [String] = []
    let producer = SignalProducer<Int, Never> { observer, lifetime in
      log.append("works")
      lifetime.observeEnded { log.append("ended") }
      observer.send(value: 1)
    }.start(on: scheduler)
    let run = producer.start { log.append("\($0)") }
    #expect(log == [])
    scheduler.advance()
    #expect(log == ["works", "VALUE 1"])
    run.dispose()
    producer.start { log.append("second \($0)") }.dispose()
    scheduler.advance()
    #expect(log == ["works", "VALUE 1", "INTERRUPTED", "ended", "second INTERRUPTED"])
  }

  @Test func `timer and interval send on their scheduler until they are disposed of`() {
    let scheduler = TestScheduler()
    var (dates, letters, numbers): ([Instant], [Event<String, Never>], [Int]) = ([], [], [])
    let timer = SignalProducer.timer(interval: .seconds(1), on: scheduler, leeway: .zero)
      .startWithValues { dates.append($0) }
    SignalProducer.interval(["a", "b"], interval: .seconds(1), on: scheduler).start { letters.append($0) }
    let counter = SignalProducer.interval(.milliseconds(500), on: scheduler).startWithValues { numbers.append($0) }
    scheduler.advance(by: .seconds(1))
    #expect((dates.count, letters, numbers) == (1, [.value("a")], [0, 1]))
    timer.dispose()
    counter.dispose()
    scheduler.run()
    #expect(dates == [Instant(nanoseconds: 1_000_000_000)])
    #expect(letters == [.value("a"), .value("b"), .completed])
    #expect(numbers == [0, 1])
  }

  @Test func `work that is cancelled before its turn on a queue never begins and is released`() {
    let scheduler = QueueScheduler(name: "test")
    scheduler.queue.suspend()
    let runs = Counter()
    weak var captured: Held?
    do {
      let held = Held()
      captured = held
      let works = (0..<100).map { _ in
        scheduler.schedule { withExtendedLifetime(held) { _ = runs.enter() } }
      }
      let delayed = scheduler.schedule(after: Instant.zero) { withExtendedLifetime(held) { _ = runs.enter() } }
      #expect(works.allSatisfy { $0?.isDisposed == false })
      for work in works + [delayed] { work?.dispose() }
    }
    #expect(captured == nil)
    scheduler.queue.resume()
    scheduler.queue.sync {}
    #expect(runs.present == 0)
  }

  @Test func `work that is cancelled while its queue comes to it runs once or never`() {
    let scheduler = QueueScheduler(name: "test")
    let (runs, cancelled) = (Counter(), Counter())
    onThreads(2) { _ in
      for _ in 0..<5000 {
        let ran = Counter()
        let work = scheduler.schedule {
          runs.enter()
          if ran.enter() > 1 { runs.enter() }
        }
        work?.dispose()
        if ran.present == 0 { cancelled.enter() }
      }
    }
    scheduler.queue.sync {}
    // Work not begun at the cancellation may at most have been about to begin.
    #expect(runs.present <= 10_000)
    #expect(runs.present + cancelled.present >= 10_000)
  }

  @Test func `a repeating timer continues without a reference to its disposable`() async {
    let scheduler = QueueScheduler(name: "test")
    await withCheckedContinuation { continuation in
      let timer = SerialDisposable()
      nonisolated(unsafe) var count = 0
      timer.inner = scheduler.schedule(after: Duration.zero, interval: .milliseconds(1)) {
        count += 1
        guard count == 5 else { return }
        timer.dispose()
        continuation.resume()
      }
    }
    await withCheckedContinuation { continuation in
      nonisolated(unsafe) var count = 0
      scheduler.schedule(after: Duration.zero, interval: .milliseconds(1)) {
        count += 1
        if count == 3 { continuation.resume() }
      }
    }
  }

  @Test func `a task sleeps on a scheduler's clock`() async throws {
    let scheduler = TestScheduler()
    let sleeper = Task { try await scheduler.sleep(for: .seconds(5)) }
    while !scheduler.hasScheduledWork { await Task.yield() }
    scheduler.advance(by: .seconds(4))
    #expect(scheduler.hasScheduledWork)
    scheduler.advance(by: .seconds(1))
    #expect(!scheduler.hasScheduledWork)
    try await sleeper.value
  }

  @Test func `a sleeping task that is cancelled wakes with an error and leaves nothing scheduled`() async {
    let scheduler = TestScheduler()
    let sleeper = Task { try await scheduler.sleep(until: Instant(nanoseconds: 5)) }
    while !scheduler.hasScheduledWork { await Task.yield() }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(!scheduler.hasScheduledWork)
  }

  @Test func `a scheduler's timer can be iterated`() async {
    let scheduler = TestScheduler()
    var dates: [Int64] = []
    let timer = scheduler.timer(interval: .seconds(1))
    scheduler.advance(by: .seconds(1))
    for await date in timer {
      dates.append(date.nanoseconds)
      if dates.count == 2 { break }
      scheduler.advance(by: .seconds(1))
    }
    #expect(dates == [1_000_000_000, 2_000_000_000])
  }
}
