import ReactiveCore
import Testing

@Suite struct TimeTests {
  @Test func `timeout gives a stream that cannot fail an error`() {
    let scheduler = TestScheduler()
    var seen: [Event<Int, Failure>] = []
    SignalProducer<Int, Never>.never.timeout(after: 2, raising: Failure(code: 1), on: scheduler)
      .start { seen.append($0) }
    scheduler.advance(by: .seconds(1))
    #expect(seen == [])
    scheduler.advance(by: .seconds(1))
    #expect(seen == [.failed(Failure(code: 1))])
    #expect(!scheduler.hasScheduledWork)
  }

  @Test func `an operator that waits leaves no timer behind`() {
    let scheduler = TestScheduler()
    let waiting: [(SignalProducer<Int, Failure>) -> SignalProducer<Int, Failure>] = [
      { $0.timeout(after: 5, raising: Failure(code: 1), on: scheduler) },
      { $0.timeout(gap: 5, raising: Failure(code: 1), on: scheduler) },
      { $0.take(for: 5, on: scheduler) }, { $0.audit(5, on: scheduler) }, { $0.debounce(5, on: scheduler) },
      { $0.throttle(5, on: scheduler) }, { $0.delay(5, on: scheduler) },
      { $0.buffer(5, on: scheduler).map(\.count) },
      { $0.collect(every: .seconds(5), on: scheduler).map(\.count) },
    ]
    for wait in waiting {
      let (signal, input) = Signal<Int, Failure>.pipe()
      let run = wait(SignalProducer(signal)).start()
      input.send(value: 1)
      #expect(scheduler.hasScheduledWork)
      run.dispose()
      scheduler.advance()
      #expect(!scheduler.hasScheduledWork)
      input.sendCompleted()
    }
  }

  @Test func `throttle is not delayed by a clock that is put back`() {
    let scheduler = TestScheduler()
    let (signal, input) = Signal<Int, Never>.pipe()
    var seen: [Int] = []
    signal.throttle(1, on: scheduler).observeValues { seen.append($0) }
    input.send(value: 1)
    scheduler.advance()
    input.send(value: 2)
    scheduler.rewind(by: .seconds(2))
    input.send(value: 3)
    scheduler.advance()
    #expect(seen == [1, 3])
    input.sendCompleted()
  }

  @Test func `throttle(while:) follows a property and stays as it is when that is gone`() {
    let scheduler = ImmediateScheduler()
    let (signal, input) = Signal<Int, Never>.pipe()
    var isBusy: MutableProperty<Bool>? = MutableProperty(true)
    var seen: [Int] = []
    if let isBusy { signal.throttle(while: isBusy, on: scheduler).observeValues { seen.append($0) } }
    input.send(value: 1)
    input.send(value: 2)
    isBusy?.value = false
    input.send(value: 3)
    isBusy?.value = true
    isBusy = nil
    input.send(value: 4)
    #expect(seen == [2, 3])
    input.sendCompleted()
  }

  @Test func `a list sent for its count begins a new span`() {
    let scheduler = TestScheduler()
    let (signal, input) = Signal<Int, Never>.pipe()
    var seen: [[Int]] = []
    signal.buffer(10, count: 2, on: scheduler).observeValues { seen.append($0) }
    input.send(value: 1)
    scheduler.advance(by: .seconds(9))
    input.send(value: 2)
    input.send(value: 3)
    scheduler.advance(by: .seconds(9))
    #expect(seen == [[1, 2]])
    scheduler.advance(by: .seconds(1))
    #expect(seen == [[1, 2], [3]])
    input.sendCompleted()
  }
}
