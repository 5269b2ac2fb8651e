import Dispatch
import ReactiveCore
import Testing

@Suite struct SchedulerTests {
  @Test func `virtual time runs what is due in the order of its instants`() {
    let scheduler = TestScheduler()
    var log: [String] = []
    scheduler.schedule(after: .seconds(2)) { log.append("c at \(scheduler.currentDate.nanoseconds)") }
    scheduler.schedule(after: .seconds(1)) {
      log.append("a")
      scheduler.schedule { log.append("b") }
    }
    scheduler.advance(by: .milliseconds(999))
    #expect(log == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(log == ["a", "b"])
    scheduler.advance(by: 1.0)
    #expect(log == ["a", "b", "c at 2000000000"])
  }

  @Test func `equal instants run in the order of arrival`() {
    let scheduler = TestScheduler()
    var log: [Int] = []
    for number in 0..<20 { scheduler.schedule(after: .seconds(1)) { log.append(number) } }
    scheduler.run()
    #expect(log == Array(0..<20))
  }

  @Test func `scheduled work can be cancelled`() {
    let scheduler = TestScheduler()
    var runs = 0
    let once = scheduler.schedule(after: .seconds(1)) { runs += 1 }
    let repeated = scheduler.schedule(after: Instant.zero, interval: .seconds(1)) { runs += 100 }
    scheduler.advance(by: .milliseconds(1500))
    #expect(runs == 201)
    once?.dispose()
    repeated?.dispose()
    #expect(!scheduler.hasScheduledWork)
  }

  @Test func `rewinding puts the clock back and keeps what is scheduled`() {
    let scheduler = TestScheduler(startDate: Instant(nanoseconds: 5))
    var runs = 0
    scheduler.schedule(after: .nanoseconds(5)) { runs += 1 }
    scheduler.rewind(by: .nanoseconds(3))
    scheduler.advance(by: .nanoseconds(7))
    #expect(runs == 0)
    scheduler.advance(by: .nanoseconds(1))
    #expect(runs == 1)
  }

  @Test func `the immediate scheduler carries work out before it returns`() {
    var runs = 0
    ImmediateScheduler().schedule { runs += 1 }
    #expect(runs == 1)
    let (signal, input) = Signal<Int, Never>.pipe()
    signal.observe(on: ImmediateScheduler()).observeValues { runs += $0 }
    input.send(value: 1)
    #expect(runs == 2)
  }

  @Test func `a queue carries work out one after the other, in order, and not when cancelled`() async {
    let scheduler = QueueScheduler(name: "test")
    let log: [Int] = await withCheckedContinuation { continuation in
      nonisolated(unsafe) var log: [Int] = []
      scheduler.schedule { scheduler.schedule { log.append(100) }?.dispose() }
      for number in 0..<50 { scheduler.schedule { log.append(number) } }
      scheduler.schedule(after: scheduler.currentDate + .milliseconds(5)) {
        scheduler.schedule { continuation.resume(returning: log) }
      }
    }
    #expect(log == Array(0..<50))
  }

  @Test func `a queue repeats work until it is cancelled`() async {
    let scheduler = QueueScheduler(name: "test")
    let count: Int = await withCheckedContinuation { continuation in
      let timer = SerialDisposable()
      nonisolated(unsafe) var count = 0
      // On the queue itself, so that nothing repeats before there is a disposable.
      scheduler.schedule {
        timer.inner = scheduler.schedule(
          after: scheduler.currentDate, interval: .milliseconds(1), leeway: .zero
        ) {
          count += 1
          guard count == 3 else { return }
          timer.dispose()
          scheduler.schedule(after: scheduler.currentDate + .milliseconds(5)) { continuation.resume(returning: count) }
        }
      }
    }
    #expect(count == 3)
  }

  @Test func `observe(on:) delivers on the queue, in order`() async {
    let scheduler = QueueScheduler(name: "test")
    let key = DispatchSpecificKey<Bool>()
    scheduler.queue.setSpecific(key: key, value: true)
    let (signal, input) = Signal<Int, Never>.pipe()
    let seen: [Int] = await withCheckedContinuation { continuation in
      nonisolated(unsafe) var seen: [Int] = []
      signal.observe(on: scheduler).observe(
        Signal.Observer(
          value: { if DispatchQueue.getSpecific(key: key) == true { seen.append($0) } },
          completed: { continuation.resume(returning: seen) }))
      for number in 0..<100 { input.send(value: number) }
      input.sendCompleted()
    }
    #expect(seen == Array(0..<100))
  }

  @Test(arguments: [SystemClock.monotonic, .wall])
  func `a queue goes by the clock it was given`(clock: SystemClock) async {
    let scheduler = QueueScheduler(name: "test", systemClock: clock)
    let before = clock.now
    let date = scheduler.currentDate
    #expect(before <= date && date <= clock.now)
    let due = date + .milliseconds(5)
    let shown: Instant = await withCheckedContinuation { continuation in
      scheduler.schedule(after: due) { continuation.resume(returning: clock.now) }
    }
    #expect(shown >= due)
  }

  @Test func `the clock of a queue is the one that is never put forward or back`() {
    let before = DispatchTime.now().uptimeNanoseconds
    let date = UInt64(QueueScheduler(name: "test").currentDate.nanoseconds)
    #expect(before <= date && date <= DispatchTime.now().uptimeNanoseconds)
    #expect(QueueScheduler.main.systemClock == .monotonic)
  }
}
