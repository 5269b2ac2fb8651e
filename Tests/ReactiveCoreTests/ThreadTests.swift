import Dispatch
import ReactiveCore
import Synchronization
import Testing

@Suite(.endsIfItHangs) struct ThreadContractTests {
  private static let count = 20_000

  /// A source or a join, fed by several inputs.
  struct Shape: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable () -> (Signal<Stamp, Never>, [Observer<Stamp, Never>])
    var testDescription: String { name }
  }

  static let shapes: [Shape] = [
    Shape(name: "a pipe") {
      let (signal, input) = Signal<Stamp, Never>.pipe()
      return (signal, [input, input, input])
    },
    Shape(name: "a merge") {
      let pipes = (0..<3).map { _ in Signal<Stamp, Never>.pipe() }
      return (.merge(pipes.map(\.output)), pipes.map(\.input))
    },
    Shape(name: "a merge of merges of one pipe") {
      let (signal, input) = Signal<Stamp, Never>.pipe()
      let once = Signal.merge(signal.filter { $0.sender == 0 }, signal.filter { $0.sender > 0 })
      return (.merge(once, once.filter { _ in false }), [input, input, input])
    },
    Shape(name: "a run") {
      let box = Mutex<SignalProducer<Stamp, Never>.Observer?>(nil)
      let producer = SignalProducer<Stamp, Never> { observer, _ in box.withLock { $0 = observer } }
      var produced: Signal<Stamp, Never>?
      producer.map { $0 }.startWithSignal { signal, _ in produced = signal }
      let input = box.withLock { $0 }
      return (produced ?? .empty, input.map { [$0, $0, $0] } ?? [])
    },
    Shape(name: "withLatest") {
      let (signal, input) = Signal<Stamp, Never>.pipe()
      let (other, otherInput) = Signal<Stamp, Never>.pipe()
      let joined = Signal.merge(signal.withLatest(from: other).map { $0.0 }, other)
      otherInput.send(value: Stamp(sender: -1, number: 0))
      return (joined, [input, otherInput, input])
    },
    Shape(name: "flatMap(.concat)") {
      let (signal, input) = Signal<Stamp, Never>.pipe()
      return (signal.flatMap(.concat) { SignalProducer<Stamp, Never>(value: $0) }, [input, input, input])
    },
    Shape(name: "groups") {
      let (signal, input) = Signal<Stamp, Never>.pipe()
      return (signal.groupBy(\.sender).flatten(.merge), [input, input, input])
    },
  ]

  /// A join that continues when one of its inputs is interrupted.
  static let streamOfStreams = Shape(name: "flatten(.merge)") {
    let pipes = (0..<3).map { _ in Signal<Stamp, Never>.pipe() }
    let (outer, outerInput) = Signal<Signal<Stamp, Never>, Never>.pipe()
    let flattened = outer.flatten(.merge)
    for pipe in pipes { outerInput.send(value: pipe.output) }
    outerInput.sendCompleted()
    return (flattened, pipes.map(\.input))
  }

  @Test func `a stream of signals that is disposed of while they arrive and send lets all of them go`() {
    let alive = Counter()
    for _ in 0..<200 {
      let (outer, outerInput) = Signal<Signal<Int, Never>, Never>.pipe()
      let (inner, innerInput) = Signal<Int, Never>.pipe()
      let life = Life(alive)
      let run = outer.producer.flatten(.merge).startWithValues { _ in withExtendedLifetime(life) {} }
      onThreads(3) { number in
        switch number {
        case 0: for _ in 0..<20 { outerInput.send(value: inner) }
        case 1: for value in 0..<20 { innerInput.send(value: value) }
        default: run.dispose()
        }
      }
    }
    #expect(alive.present == 0)
  }

  @Test(arguments: shapes + [streamOfStreams])
  func `several senders lose, double and mix up nothing, and all observers see the same`(_ shape: Shape) {
    let (signal, inputs) = shape.make()
    let (first, second) = (Checker<Stamp>(), Checker<Stamp>())
    let observations = [first.observe(signal), second.observe(signal.map { $0 })]
    onThreads(3) { sender in
      for number in 0..<Self.count { inputs[sender].send(value: Stamp(sender: sender, number: number)) }
    }
    for input in inputs { input.sendCompleted() }
    #expect(first.faults + second.faults == 0)
    #expect(isComplete(first.values, senders: 3, each: Self.count))
    #expect(first.values == second.values)
    withExtendedLifetime(observations) {}
  }

  @Test func `two signals whose observers send into each other from two threads lose nothing and do not deadlock`() {
    let (one, oneInput) = Signal<Stamp, Never>.pipe()
    let (two, twoInput) = Signal<Stamp, Never>.pipe()
    let (ofOne, ofTwo) = (Checker<Stamp>(), Checker<Stamp>())
    // Each value is answered once, by the other signal.
    one.observeValues { if $0.sender < 2 { twoInput.send(value: Stamp(sender: $0.sender + 2, number: $0.number)) } }
    two.observeValues { if $0.sender < 2 { oneInput.send(value: Stamp(sender: $0.sender + 2, number: $0.number)) } }
    let observations = [ofOne.observe(one), ofTwo.observe(two)]
    onThreads(2) { sender in
      let input = sender == 0 ? oneInput : twoInput
      for number in 0..<Self.count { input.send(value: Stamp(sender: sender, number: number)) }
    }
    oneInput.sendCompleted()
    twoInput.sendCompleted()
    #expect(ofOne.faults + ofTwo.faults == 0)
    #expect(ofOne.values.filter { $0.sender == 0 }.map(\.number) == Array(0..<Self.count))
    #expect(ofOne.values.filter { $0.sender == 3 }.map(\.number) == Array(0..<Self.count))
    #expect(ofTwo.values.filter { $0.sender == 1 }.map(\.number) == Array(0..<Self.count))
    #expect(ofTwo.values.filter { $0.sender == 2 }.map(\.number) == Array(0..<Self.count))
    withExtendedLifetime(observations) {}
  }

  @Test func `sends from inside a delivery on several threads lose nothing`() {
    let (signal, input) = Signal<Stamp, Never>.pipe()
    let checker = Checker<Stamp>()
    signal.observeValues { if $0.sender < 2 { input.send(value: Stamp(sender: $0.sender + 2, number: $0.number)) } }
    let observation = checker.observe(signal)
    onThreads(2) { sender in
      for number in 0..<Self.count { input.send(value: Stamp(sender: sender, number: number)) }
    }
    input.sendCompleted()
    #expect(checker.faults == 0)
    #expect(isComplete(checker.values, senders: 4, each: Self.count))
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: shapes) func `nothing follows an ending that one of the threads sends`(_ shape: Shape) {
    for _ in 0..<50 {
      let (signal, inputs) = shape.make()
      let checker = Checker<Stamp>()
      let observation = checker.observe(signal)
      onThreads(3) { sender in
        for number in 0..<200 {
          if sender == 2, number == 100 { inputs[sender].sendInterrupted() }
          inputs[sender].send(value: Stamp(sender: sender, number: number))
        }
      }
      #expect(checker.faults == 0)
      #expect(checker.endings == 1)
      withExtendedLifetime(observation) {}
    }
  }

  @Test func `observers come and go while others send`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let isOver = Atomic(false)
    let steady = Checker<Int>()
    let observation = steady.observe(signal)
    let misses = Atomic(0)
    onThreads(3) { thread in
      if thread == 0 {
        for number in 0..<Self.count { input.send(value: number) }
        isOver.store(true, ordering: .releasing)
        return
      }
      while !isOver.load(ordering: .acquiring) {
        let passing = Checker<Int>()
        let own = passing.observe(signal.map { $0 }.filter { $0 >= 0 })
        own?.dispose()
        // One call may still be under way; then nothing more.
        if passing.faults > 0 { misses.add(1, ordering: .relaxed) }
      }
    }
    #expect(misses.load(ordering: .relaxed) == 0)
    #expect(steady.values == Array(0..<Self.count))
    withExtendedLifetime(observation) {}
  }

  @Test func `at most one call begins after a disposal from elsewhere has returned`() {
    for _ in 0..<300 {
      let (signal, input) = Signal<Int, Never>.pipe()
      let isDisposed = Atomic(false)
      let late = Atomic(0)
      let observation = signal.observeValues { _ in
        let before = isDisposed.load(ordering: .sequentiallyConsistent)
        if before { late.add(1, ordering: .relaxed) }
      }
      onThreads(2) { thread in
        if thread == 0 {
          for number in 0..<200 { input.send(value: number) }
        } else {
          observation?.dispose()
          isDisposed.store(true, ordering: .sequentiallyConsistent)
        }
      }
      // The thread whose event was being delivered when `dispose` was called.
      #expect(late.load(ordering: .relaxed) <= 1)
    }
  }

  @Test func `a run that is disposed of from elsewhere is interrupted once`() {
    for _ in 0..<300 {
      let endings = Atomic(0)
      let afterEnding = Atomic(0)
      let started = DispatchSemaphore(value: 0)
      let run = SerialDisposable()
      onThreads(2) { thread in
        if thread == 0 {
          SignalProducer<Int, Never>(0..<20_000).map { $0 + 1 }.startWithSignal { signal, handle in
            run.inner = handle
            signal.observe(
              Observer(
                value: { value in
                  if value == 10 { started.signal() }
                  if endings.load(ordering: .relaxed) > 0 { afterEnding.add(1, ordering: .relaxed) }
                },
                ending: { _ in endings.add(1, ordering: .relaxed) }))
          }
        } else {
          started.wait()
          run.dispose()
        }
      }
      #expect(endings.load(ordering: .relaxed) == 1)
      #expect(afterEnding.load(ordering: .relaxed) == 0)
    }
  }

  @Test func `changes of a property from several threads are delivered in the order of its values`() {
    let property = MutableProperty(0)
    let checker = Checker<Int>()
    let observation = checker.observe(property.signal)
    onThreads(3) { _ in
      for _ in 0..<Self.count { property.modify { $0 += 1 } }
    }
    #expect(checker.faults == 0)
    #expect(checker.values == Array(1...3 * Self.count))
    #expect(property.value == 3 * Self.count)
    withExtendedLifetime(observation) {}
  }

  @Test func `two properties that set each other from two threads end with the values last delivered`() {
    let (one, two) = (MutableProperty(0), MutableProperty(0))
    let (ofOne, ofTwo) = (Checker<Int>(), Checker<Int>())
    let answers = [
      one.signal.observeValues { if $0 > two.value { two.value = $0 } },
      two.signal.observeValues { if $0 > one.value { one.value = $0 } },
    ]
    let observations = [ofOne.observe(one.signal), ofTwo.observe(two.signal)]
    onThreads(2) { sender in
      for number in 0..<Self.count { (sender == 0 ? one : two).value = 2 * number + sender }
    }
    #expect(ofOne.faults + ofTwo.faults == 0)
    for answer in answers { answer?.dispose() }
    #expect(ofOne.values.last == one.value)
    #expect(ofTwo.values.last == two.value)
    withExtendedLifetime(observations) {}
  }

  @Test func `new observers of a property that is being changed see its values from some point on without a gap`() {
    let property = MutableProperty(0)
    let isOver = Atomic(false)
    let gaps = Atomic(0)
    onThreads(3) { thread in
      if thread == 0 {
        for number in 1...Self.count { property.value = number }
        isOver.store(true, ordering: .releasing)
        return
      }
      while !isOver.load(ordering: .acquiring) {
        nonisolated(unsafe) var last: Int?
        let run = property.producer.startWithValues { value in
          if let last, value != last + 1 { gaps.add(1, ordering: .relaxed) }
          last = value
        }
        for _ in 0..<50 where !isOver.load(ordering: .acquiring) { _ = property.value }
        run.dispose()
      }
    }
    #expect(gaps.load(ordering: .relaxed) == 0)
  }
}
