import ReactiveCore
import ReactiveTesting
import Testing

/// A failure with a number.
struct Failure: Error, Equatable { let code: Int }

@Suite struct SignalContractTests {
  @Test func `a signal sends values, then at most one ending, then nothing`() {
    for ending: Ending<Failure> in [.completed, .interrupted, .failed(Failure(code: 1))] {
      let (signal, input) = Signal<Int, Failure>.pipe()
      var seen: [Event<Int, Failure>] = []
      signal.observe { seen.append($0) }
      input.send(value: 1)
      input.send(ending)
      input.send(value: 2)
      input.sendCompleted()
      #expect(seen == [.value(1), Event(ending)])
    }
  }

  @Test func `every observer sees the same events in the same order`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    var first: [Event<Int, Never>] = []
    var second: [Event<Int, Never>] = []
    var third: [Event<Int, Never>] = []
    signal.observe { event in
      first.append(event)
      // Sent in between: the others must not receive it before the event that caused it.
      if event == .value(1) { input.send(value: 2) }
    }
    signal.map { $0 }.observe { second.append($0) }
    signal.observe { third.append($0) }
    input.send(value: 1)
    input.sendCompleted()
    #expect(first == [.value(1), .value(2), .completed])
    #expect(second == first)
    #expect(third == first)
  }

  @Test func `an event sent by an observer comes after the current one`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    var log: [String] = []
    signal.observeValues { value in
      log.append("begin \(value)")
      if value < 3 { input.send(value: value + 1) }
      log.append("end \(value)")
    }
    input.send(value: 1)
    // An observer that holds its own signal's input keeps all of it alive until the ending.
    input.sendCompleted()
    #expect(log == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
  }

  @Test func `an event sent around a loop of signals comes after the current one`() {
    let (one, oneInput) = Signal<Int, Never>.pipe()
    let (two, twoInput) = Signal<Int, Never>.pipe()
    var log: [String] = []
    one.observeValues { value in
      log.append("one \(value)")
      if value < 4 { twoInput.send(value: value + 1) }
      log.append("one ends \(value)")
    }
    Signal.merge(two, two.filter { _ in false }).observeValues { value in
      log.append("two \(value)")
      oneInput.send(value: value + 1)
    }
    oneInput.send(value: 1)
    oneInput.sendCompleted()
    twoInput.sendCompleted()
    #expect(log == ["one 1", "two 2", "one ends 1", "one 3", "two 4", "one ends 3", "one 5", "one ends 5"])
  }

  @Test func `an ending sent by an observer comes after the current value`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    var seen: [Event<Int, Never>] = []
    signal.observeValues { _ in input.sendCompleted() }
    signal.observe { seen.append($0) }
    input.send(value: 1)
    input.send(value: 2)
    #expect(seen == [.value(1), .completed])
  }

  @Test func `observing causes nothing`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    var sum = 0
    let total = signal.scan(0) { $0 + $1 }
    input.send(value: 1)
    total.observeValues { sum = $0 }
    #expect(sum == 0)
    input.send(value: 2)
    #expect(sum == 3, "a signal without observers continues all the same")
  }

  @Test func `an observer that is added after the ending is interrupted`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let derived = signal.map { $0 }
    input.sendCompleted()
    for ended in [signal, derived, signal.map { $0 }, .merge(signal, .never), .empty] {
      var seen: [Event<Int, Never>] = []
      let observation = ended.observe { seen.append($0) }
      #expect(seen == [.interrupted])
      #expect(observation == nil)
    }
  }

  @Test func `an observer that was disposed of receives nothing more`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    var seen: [Int] = []
    let observation = signal.observeValues { seen.append($0) }
    input.send(value: 1)
    observation?.dispose()
    observation?.dispose()
    input.send(value: 2)
    #expect(seen == [1])
    #expect(observation?.isDisposed == true)
  }

  @Test func `an observer may dispose of itself and of others during a delivery`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let others = CompositeDisposable()
    var log: [String] = []
    var own: (any Disposable)?
    own = signal.observeValues { value in
      log.append("first \(value)")
      own?.dispose()
      others.dispose()
    }
    others += signal.observeValues { log.append("second \($0)") }
    signal.observeValues { log.append("third \($0)") }
    input.send(value: 1)
    input.send(value: 2)
    #expect(log == ["first 1", "third 1", "third 2"])
  }

  @Test func `an observer that arrives during a delivery receives what follows it`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    var late: [Int] = []
    signal.take(first: 1).observeValues { _ in
      input.send(value: 2)
      signal.observeValues { late.append($0) }
    }
    input.send(value: 1)
    input.send(value: 3)
    #expect(late == [2, 3])
  }

  @Test func `an unfinished signal releases its observers with its input`() {
    var seen: [Event<Int, Never>] = []
    do {
      let (signal, input) = Signal<Int, Never>.pipe()
      signal.map { $0 }.observe { seen.append($0) }
      input.send(value: 1)
    }
    #expect(seen == [.value(1), .interrupted])
  }

  @Test func `failures and interruptions are forwarded at once`() {
    let scheduler = TestScheduler()
    let waiting: [(Signal<Int, Failure>) -> Signal<Int, Failure>] = [
      { $0.debounce(1, on: scheduler) }, { $0.throttle(1, on: scheduler) }, { $0.delay(1, on: scheduler) },
      { $0.map { $0 } }, { .merge($0, .never) }, { $0.combineLatest(with: Signal<Int, Failure>.never).map { $0.0 } },
    ]
    for ending: Ending<Failure> in [.interrupted, .failed(Failure(code: 1))] {
      for operation in waiting {
        let (signal, input) = Signal<Int, Failure>.pipe()
        var seen: [Event<Int, Failure>] = []
        operation(signal).filter { _ in false }.observe { seen.append($0) }
        input.send(value: 1)
        input.send(ending)
        #expect(seen == [Event(ending)])
        scheduler.run()
        #expect(seen == [Event(ending)])
      }
    }
  }
}
