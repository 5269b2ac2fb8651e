import ReactiveCore
import ReactiveTesting
import Testing

@Suite struct ProducerContractTests {
  @Test func `each operator of a chain works, also several that keep the type`() {
    var seen: [Int] = []
    let (signal, input) = Signal<Int, Never>.pipe()
    let chained = SignalProducer(signal).map { $0 + 1 }.map { $0 * 2 }.filter { $0 > 4 }.on(value: { seen.append($0) })
    chained.startWithValues { seen.append(-$0) }
    for value in 1...2 { input.send(value: value) }
    #expect(seen == [6, -6])
    SignalProducer([1, 2]).map { $0 + 1 }.map { $0 * 10 }.startWithValues { seen.append($0) }
    #expect(seen == [6, -6, 20, 30])
  }

  @Test func `each start runs the work again`() {
    var starts = 0
    let producer = SignalProducer<Int, Never> { observer, _ in
      starts += 1
      observer.send(value: starts)
      observer.sendCompleted()
    }
    #expect(starts == 0)
    var seen: [Event<Int, Never>] = []
    producer.map { $0 * 10 }.start { seen.append($0) }
    producer.start { seen.append($0) }
    #expect(seen == [.value(10), .completed, .value(2), .completed])
  }

  @Test func `disposing of a run interrupts it and releases its resources`() {
    var seen: [Event<Int, Never>] = []
    var log: [String] = []
    var input: SignalProducer<Int, Never>.Observer?
    let producer = SignalProducer<Int, Never> { observer, lifetime in
      input = observer
      lifetime.observeEnded { log.append("ended") }
    }
    let run = producer.map { $0 }.start { event in
      seen.append(event)
      log.append("event")
    }
    input?.send(value: 1)
    run.dispose()
    run.dispose()
    input?.send(value: 2)
    input?.sendCompleted()
    #expect(seen == [.value(1), .interrupted])
    #expect(log == ["event", "event", "ended"])
    #expect(run.isDisposed)
  }

  @Test func `disposing of a run from inside its observer interrupts it after the current value`() {
    let serial = SerialDisposable()
    var log: [String] = []
    SignalProducer<Int, Never>(1...5).startWithSignal { signal, handle in
      serial.inner = handle
      signal.observe { event in
        log.append("\(event)")
        if event == .value(2) {
          serial.dispose()
          log.append("still inside")
        }
      }
    }
    #expect(log == ["VALUE 1", "VALUE 2", "still inside", "INTERRUPTED"])
  }

  @Test func `an interruption passes through the operators of a run`() {
    var log: [String] = []
    let run = SignalProducer<Int, Never>.never
      .on(interrupted: { log.append("interrupted") }, disposed: { log.append("disposed") })
      .materialize().start { log.append("\($0)") }
    run.dispose()
    #expect(log == ["interrupted", "VALUE INTERRUPTED", "INTERRUPTED", "disposed"])
  }

  @Test func `what is sent at once can be observed`() {
    var seen: [Int] = []
    let result = SignalProducer<Int, Never>([1, 2]).startWithSignal { signal, _ in
      signal.observeValues { seen.append($0) }
      return "result"
    }
    #expect(seen == [1, 2])
    #expect(result == "result")
  }

  @Test func `a run that has and can have no observers is disposed of`() {
    var log: [String] = []
    let producer = SignalProducer<Int, Never>.never.on(disposed: { log.append("disposed") })
    producer.startWithSignal { _, _ in }
    #expect(log == ["disposed"])
  }

  @Test func `the ways to make a producer send what they say`() {
    func events<Failure>(_ producer: SignalProducer<Int, Failure>) -> [String] {
      var seen: [String] = []
      producer.start { seen.append("\($0)") }.dispose()
      return seen
    }
    #expect(events(SignalProducer<Int, Never>(value: 1)) == ["VALUE 1", "COMPLETED"])
    #expect(events(SignalProducer<Int, Never>(values: 1, 2, 3)) == ["VALUE 1", "VALUE 2", "VALUE 3", "COMPLETED"])
    #expect(events(SignalProducer<Int, Never>.empty) == ["COMPLETED"])
    #expect(events(SignalProducer<Int, Never>.never) == ["INTERRUPTED"])
    #expect(events(SignalProducer<Int, Failure>(error: Failure(code: 1))) == ["FAILED Failure(code: 1)"])
    #expect(events(SignalProducer<Int, Failure>(result: .success(2))) == ["VALUE 2", "COMPLETED"])
    #expect(events(SignalProducer<Int, Never>.range(start: 5, count: 2)) == ["VALUE 5", "VALUE 6", "COMPLETED"])
    #expect(events(SignalProducer<Int, Never>.range(start: 5, count: 0)) == ["COMPLETED"])
    #expect(
      events(SignalProducer<Int, Failure>(catching: { () throws(Failure) in throw Failure(code: 3) }))
        == ["FAILED Failure(code: 3)"])
    #expect(events(SignalProducer<Int, Never>(catching: { 3 })) == ["VALUE 3", "COMPLETED"])
    #expect(events(SignalProducer<Int, Never> { 4 }) == ["VALUE 4", "COMPLETED"])
  }

  @Test func `concat starts the next when the one before has completed`() {
    var log: [String] = []
    let first = SignalProducer<Int, Failure>([1, 2]).on(disposed: { log.append("first disposed") })
    let second = SignalProducer<Int, Failure>(value: 3).on(starting: { log.append("second starts") })
    first.concat(second).prefix(value: 0).concat(error: Failure(code: 9)).start { log.append("\($0)") }
    #expect(
      log == [
        "VALUE 0", "VALUE 1", "VALUE 2", "first disposed", "second starts", "VALUE 3", "FAILED Failure(code: 9)",
      ])
  }

  @Test func `concat does not start the next after a failure or an interruption`() {
    var starts = 0
    let next = SignalProducer<Int, Failure>(value: 1).on(starting: { starts += 1 })
    SignalProducer(error: Failure(code: 1)).concat(next).start()
    SignalProducer.never.concat(next).start().dispose()
    #expect(starts == 0)
  }

  @Test func `then drops the values of the first`() {
    var seen: [Event<String, Never>] = []
    SignalProducer<Int, Never>([1, 2]).then(SignalProducer<String, Never>(value: "a")).start { seen.append($0) }
    #expect(seen == [.value("a"), .completed])
  }

  @Test func `lift applies an operator of signals to each run`() {
    var seen: [Int] = []
    let doubled = SignalProducer<Int, Never>([1, 2, 3]).lift { $0.map { $0 * 2 } }
    doubled.startWithValues { seen.append($0) }
    doubled.startWithValues { seen.append($0) }
    #expect(seen == [2, 4, 6, 2, 4, 6])
  }

  @Test func `taking the first stops endless work`() {
    var seen: [Event<Int, Never>] = []
    SignalProducer<Int, Never>(0...).map { $0 * 2 }.take(first: 3).start { seen.append($0) }
    #expect(seen == [.value(0), .value(2), .value(4), .completed])
  }

  @Test func `a timer sends the scheduler's time until it is disposed of`() {
    let scheduler = TestScheduler()
    var seen: [Int64] = []
    let run = SignalProducer.timer(interval: .seconds(2), on: scheduler).startWithValues { seen.append($0.nanoseconds) }
    scheduler.advance(by: .seconds(5))
    #expect(seen == [2_000_000_000, 4_000_000_000])
    run.dispose()
    #expect(!scheduler.hasScheduledWork)
  }

  @Test func `an interval counts, or walks through a sequence`() {
    let scheduler = TestScheduler()
    var seen: [Event<String, Never>] = []
    SignalProducer.interval(["a", "b"], interval: .seconds(1), on: scheduler).start { seen.append($0) }
    var count: [Int] = []
    SignalProducer.interval(.seconds(1), on: scheduler).take(first: 3).startWithValues { count.append($0) }
    scheduler.run()
    #expect(seen == [.value("a"), .value("b"), .completed])
    #expect(count == [0, 1, 2])
  }
}

@Suite struct ReplayTests {
  @Test func `replayLazily shares one run, which the first start begins`() {
    var starts = 0
    let (source, input) = Signal<Int, Never>.pipe()
    let shared = SignalProducer(source).on(starting: { starts += 1 }).replayLazily(upTo: 2)
    #expect(starts == 0)
    var first: [Event<Int, Never>] = []
    shared.start { first.append($0) }
    for value in 1...3 { input.send(value: value) }
    var second: [Event<Int, Never>] = []
    shared.start { second.append($0) }
    input.send(value: 4)
    input.sendCompleted()
    var third: [Event<Int, Never>] = []
    shared.start { third.append($0) }
    #expect(starts == 1)
    #expect(first == [.value(1), .value(2), .value(3), .value(4), .completed])
    #expect(second == [.value(2), .value(3), .value(4), .completed])
    #expect(third == [.value(3), .value(4), .completed])
  }

  @Test func `replayLazily interrupts its run when no observer is left`() {
    var log: [String] = []
    var shared: SignalProducer<Int, Never>? = SignalProducer.never.on(disposed: { log.append("disposed") })
      .replayLazily(upTo: 1)
    let run = shared?.start()
    shared = nil
    #expect(log == [])
    run?.dispose()
    #expect(log == ["disposed"])
  }

  @Test func `a replaying pipe gives new observers the last values, then what follows`() {
    let (output, input) = SignalProducer<Int, Failure>.replayingPipe(upTo: 2)
    for value in 1...3 { input.send(value: value) }
    var seen: [Event<Int, Failure>] = []
    output.start { seen.append($0) }
    input.send(value: 4)
    input.send(error: Failure(code: 5))
    output.start { seen.append($0) }
    #expect(
      seen == [.value(2), .value(3), .value(4), .failed(Failure(code: 5))]
        + [.value(3), .value(4), .failed(Failure(code: 5))])
  }
}

@Suite struct InterruptionTests {
  @Test func `a run that is disposed of while its work sends is interrupted and releases its resources`() {
    var log: [String] = []
    var input: SignalProducer<Int, Never>.Observer?
    let run = SerialDisposable()
    let producer = SignalProducer<Int, Never> { observer, lifetime in
      input = observer
      lifetime.observeEnded { log.append("ended") }
    }
    run.inner = producer.start { event in
      log.append("\(event)")
      run.dispose()
    }
    input?.send(value: 1)
    #expect(log == ["VALUE 1", "INTERRUPTED", "ended"])
  }

  @Test func `a run that is disposed of before its work begins is interrupted and does no work`() {
    var log: [String] = []
    let producer = SignalProducer<Int, Failure> { _, _ in log.append("works") }
    let failing = SignalProducer<Int, Failure>(error: Failure(code: 1))
    failing.combineLatest(with: producer.on(interrupted: { log.append("interrupted") })).start()
    producer.startWithSignal { signal, handle in
      signal.observe { log.append("\($0)") }
      handle.dispose()
    }
    #expect(log == ["INTERRUPTED"])
  }
}
