import ReactiveCore
import Testing

@Suite struct ActionTests {
  @Test func `an action executes its work and reports how it goes`() {
    let (work, input) = Signal<String, Failure>.pipe()
    let action = Action<Int, String, Failure> { number in SignalProducer(work).map { "\(number)\($0)" } }
    var log: [String] = []
    action.values.observeValues { log.append($0) }
    action.completed.observeValues { log.append("completed") }
    action.isExecuting.producer.startWithValues { log.append("executing \($0)") }
    action.isEnabled.producer.startWithValues { log.append("enabled \($0)") }
    action.apply(1).start { log.append("run \($0)") }
    input.send(value: "a")
    input.sendCompleted()
    #expect(
      log == [
        "executing false", "enabled true", "enabled false", "executing true", "run VALUE 1a", "1a", "run COMPLETED",
        "enabled true", "executing false", "completed",
      ])
  }

  @Test func `errors and events are those of the producer`() {
    let action = Action<Int, Int, Failure> { SignalProducer(value: $0).concat(error: Failure(code: $0)) }
    var (errors, events, runs): ([Failure], [Event<Int, Failure>], [Event<Int, ActionError<Failure>>]) = ([], [], [])
    action.errors.observeValues { errors.append($0) }
    action.events.observeValues { events.append($0) }
    action.apply(5).start { runs.append($0) }
    #expect(errors == [Failure(code: 5)])
    #expect(events == [.value(5), .failed(Failure(code: 5))])
    #expect(runs == [.value(5), .failed(.producerFailed(Failure(code: 5)))])
  }

  @Test func `an action that is disabled or executing refuses`() {
    let enabled = MutableProperty(false)
    var executions = 0
    let action = Action<Void, Int, Never>(enabledIf: enabled) {
      executions += 1
      return .never
    }
    var refusals = 0
    action.disabledErrors.observeValues { refusals += 1 }
    var errors: [ActionError<Never>] = []
    #expect(!action.isEnabled.value)
    action.apply().startWithFailed { errors.append($0) }
    #expect((executions, refusals) == (0, 1))
    enabled.value = true
    #expect(action.isEnabled.value)
    let run = action.apply().start()
    #expect(action.isExecuting.value)
    #expect(!action.isEnabled.value)
    action.apply().startWithFailed { errors.append($0) }
    #expect((executions, refusals) == (1, 2))
    run.dispose()
    #expect(action.isEnabled.value)
    action.apply().start()
    #expect((executions, refusals) == (2, 2))
    #expect(errors.count == 2)
  }

  @Test func `disposing of a run interrupts the execution`() {
    let action = Action<Void, Int, Never> { SignalProducer<Int, Never>.never }
    var events: [Event<Int, Never>] = []
    action.events.observeValues { events.append($0) }
    action.apply().start().dispose()
    #expect(events == [.interrupted])
    #expect(!action.isExecuting.value)
  }

  @Test func `an execution can be cut short by its starter`() {
    let action = Action<Void, Int, Never> { SignalProducer<Int, Never>(0...) }
    var seen: [Int] = []
    action.apply().take(first: 3).startWithResult { if case .success(let value) = $0 { seen.append(value) } }
    #expect(seen == [0, 1, 2])
    #expect(!action.isExecuting.value)
  }

  @Test func `the state goes into the work`() {
    let state = MutableProperty(1)
    let adding = Action<Int, Int, Never>(state: state) { SignalProducer(value: $0 + $1) }
    let echoing = Action<Void, Int, Never>(state: state) { SignalProducer(value: $0) }
    var seen: [Int] = []
    adding.values.observeValues { seen.append($0) }
    echoing.values.observeValues { seen.append($0) }
    adding.apply(10).start()
    state.value = 2
    adding.apply(10).start()
    echoing.apply().start()
    #expect(seen == [11, 12, 2])
  }

  @Test func `an action unwraps its state, or a validated one`() {
    let state = MutableProperty<Int?>(nil)
    let unwrapping = Action<Int, Int, Never>(unwrapping: state) { SignalProducer(value: $0 * $1) }
    let property = ValidatingProperty<Int, Failure>(-1) { $0 < 0 ? .invalid(Failure(code: $0)) : .valid }
    let validated = Action<Void, Int, Never>(validated: property) { SignalProducer(value: $0) }
    var seen: [Int] = []
    unwrapping.values.observeValues { seen.append($0) }
    validated.values.observeValues { seen.append($0) }
    #expect(!unwrapping.isEnabled.value && !validated.isEnabled.value)
    state.value = 3
    property.value = 4
    #expect(unwrapping.isEnabled.value && validated.isEnabled.value)
    unwrapping.apply(2).start()
    validated.apply().start()
    #expect(seen == [6, 4])
  }

  @Test func `an action may be disabled by its own execution`() {
    let enabled = MutableProperty(true)
    let action = Action<Void, Int, Never>(enabledIf: enabled) { .never }
    enabled <~ action.isExecuting.negate()
    let run = action.apply().start()
    #expect((enabled.value, action.isEnabled.value, action.isExecuting.value) == (false, false, true))
    run.dispose()
    #expect((enabled.value, action.isEnabled.value, action.isExecuting.value) == (true, true, false))
  }

  @Test func `an action can be applied again by an observer of its end`() {
    let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
    var seen: [Int] = []
    action.values.observeValues { seen.append($0) }
    action.completed.take(first: 1).observeValues { [unowned action] in action.apply(2).start() }
    action.apply(1).start()
    #expect(seen == [1, 2])
  }

  @Test func `what is bound to an action executes it`() {
    let action = Action<Int, Int, Never> { SignalProducer(value: $0) }
    var seen: [Int] = []
    action.values.observeValues { seen.append($0) }
    action <~ SignalProducer([1, 2, 3])
    #expect(seen == [1, 2, 3])
  }

  @Test func `an action that is released completes its signals and keeps nothing`() {
    weak var state: MutableProperty<Bool>?
    weak var captured: Held?
    weak var gone: Action<Void, Int, Never>?
    var endings = 0
    do {
      let (property, held) = (MutableProperty(true), Held())
      (state, captured) = (property, held)
      let action = Action<Void, Int, Never>(enabledIf: property) {
        withExtendedLifetime(held) { SignalProducer(value: 1) }
      }
      gone = action
      action.values.observe(Observer(completed: { endings += 1 }))
      action.disabledErrors.observe(Observer(completed: { endings += 1 }))
      action.isEnabled.signal.observe(Observer(completed: { endings += 1 }))
      action.lifetime.observeEnded { endings += 1 }
      action.apply().start()
      #expect(endings == 0)
    }
    #expect((gone == nil, state == nil, captured == nil) == (true, true, true))
    #expect(endings == 4)
  }

  @Test func `an action keeps its state, and an execution its action`() {
    weak var state: MutableProperty<Bool>?
    weak var executing: Action<Void, Int, Never>?
    var run: (any Disposable)?
    do {
      let property = MutableProperty(true)
      state = property
      let action = Action<Void, Int, Never>(enabledIf: property) { .never }
      executing = action
      run = action.apply().start()
    }
    #expect(executing != nil)
    #expect(state != nil)
    run?.dispose()
    #expect(executing == nil)
    #expect(state == nil)
  }

  @Test func `an action that several threads apply executes one at a time and refuses the rest`() {
    let (rounds, threads) = (2000, 3)
    let (inside, overlaps, executed, refused) = (Counter(), Counter(), Counter(), Counter())
    let action = Action<Void, Int, Never> {
      SignalProducer { observer, _ in
        if inside.enter() > 1 { overlaps.enter() }
        observer.send(value: 1)
        inside.leave()
        observer.sendCompleted()
      }
    }
    var sum = 0
    action.values.observeValues { sum += $0 }
    onThreads(threads) { _ in
      for _ in 0..<rounds {
        action.apply().start { event in
          if event.isCompleted { executed.enter() }
          if event.error != nil { refused.enter() }
        }
      }
    }
    #expect(overlaps.present == 0)
    #expect(sum == executed.present)
    #expect(executed.present + refused.present == threads * rounds)
    #expect(!action.isExecuting.value)
    #expect(action.isEnabled.value)
  }
}
