import Dispatch
import ReactiveCore
import Testing

@Suite(.endsIfItHangs) struct BlockingTests {
  private static let queue = QueueScheduler(name: "blocking")

  /// Emits one value every millisecond from another thread.
  private func slowly(_ values: [Int]) -> SignalProducer<Int, Failure> {
    SignalProducer { observer, lifetime in
      var left = values[...]
      lifetime += Self.queue.schedule(after: Duration.milliseconds(1), interval: .milliseconds(1)) {
        if let value = left.popFirst() { observer.send(value: value) } else { observer.sendCompleted() }
      }
    }
  }

  private let failing = SignalProducer<Int, Failure>(value: 1).concat(error: Failure(code: 2))

  @Test func `first waits for the first value and interrupts its run`() {
    #expect(slowly([1, 2]).first() == .success(1))
    #expect(SignalProducer<Int, Never>(0...).first() == .success(0))
    #expect(failing.first() == .success(1))
    #expect(SignalProducer<Int, Failure>(error: Failure(code: 3)).first() == .failure(Failure(code: 3)))
    #expect(SignalProducer<Int, Failure>.empty.first() == nil)
    #expect(SignalProducer<Int, Failure>.empty.first(default: 9) == .success(9))
    var interruptions = 0
    _ = SignalProducer<Int, Never>.never.prefix(value: 5).on(disposed: { interruptions += 1 }).first()
    #expect(interruptions == 1)
  }

  @Test func `single waits for the only value`() {
    #expect(slowly([1]).single() == .success(1))
    #expect(slowly([1, 2]).single() == nil)
    #expect(SignalProducer<Int, Failure>.empty.single() == nil)
    #expect(failing.single() == .failure(Failure(code: 2)))
  }

  @Test func `last, toArray and wait wait for the ending`() {
    #expect(slowly([1, 2, 3]).last() == .success(3))
    #expect(slowly([1, 2, 3]).toArray() == .success([1, 2, 3]))
    #expect(SignalProducer<Int, Failure>.empty.last() == nil)
    #expect(failing.last() == .failure(Failure(code: 2)))
    #expect(failing.toArray() == .failure(Failure(code: 2)))
    #expect(throws: Failure(code: 2)) { try failing.wait().get() }
    #expect(throws: Never.self) { try slowly([1]).wait().get() }
  }

  @Test func `an interruption is an ending without a value`() {
    let interrupted = SignalProducer<Int, Failure> { observer, _ in observer.sendInterrupted() }
    #expect(interrupted.first() == nil)
    #expect(throws: Never.self) { try interrupted.wait().get() }
  }

  @Test func `a blocking call from inside a delivery traps`() async {
    await #expect(processExitsWith: .failure) {
      let (signal, input) = Signal<Int, Never>.pipe()
      signal.observeValues { _ in _ = SignalProducer<Int, Never>(value: 1).first() }
      input.send(value: 1)
    }
    await #expect(processExitsWith: .failure) {
      MutableProperty(1).modify { _ in _ = SignalProducer<Int, Never>.empty.wait() }
    }
    await #expect(processExitsWith: .failure) {
      SignalProducer<Int, Never>(value: 1).startWithValues { _ in
        for _ in SignalProducer<Int, Never>(value: 1).sequence {}
      }
    }
    await #expect(processExitsWith: .success) {
      _ = SignalProducer<Int, Never>(value: 1).first()
    }
  }

  @Test func `a sequence of values is as lazy as its bound`() {
    let sent = Counter()
    let producer = SignalProducer<Int, Never> { observer, lifetime in
      for value in 0... {
        guard !lifetime.hasEnded else { return }
        sent.enter()
        observer.send(value: value)
      }
    }
    var seen: [Int] = []
    for case .success(let value) in producer.sequence(Bound(limit: 4, overflow: .dropNewest)) {
      seen.append(value)
      #expect(sent.present <= value + 6)
      if value == 99 { break }
    }
    #expect(seen == Array(0..<100))
  }

  @Test func `what a delivery elsewhere sends to a run that waits for room is read in its turn`() {
    let isInside = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var input = Observer<Int, Never>()
    let producer = SignalProducer<Int, Never> { observer, _ in
      input = observer
      for number in 0...3 { observer.send(value: number) }
      observer.sendCompleted()
    }.on(value: { if $0 == 2 { isInside.signal() } })
    let (elsewhere, trigger) = Signal<Int, Never>.pipe()
    elsewhere.observeValues { input.send(value: $0) }
    var iterator = producer.sequence(Bound(limit: 1, overflow: .dropNewest)).makeIterator()
    #expect(iterator.next() == .success(0))
    // There is capacity for 1, and none for 2.
    onThreads(1) { _ in
      isInside.wait()
      trigger.send(value: 100)
    }
    var seen: [Int] = []
    while case .success(let number) = iterator.next() { seen.append(number) }
    #expect(seen == [1, 2, 100, 3])
  }

  @Test func `a sequence ends with its run, and a failure is its last element`() {
    #expect(Array(failing.sequence) == [.success(1), .failure(Failure(code: 2))])
    #expect(Array(slowly([1, 2, 3]).sequence) == [.success(1), .success(2), .success(3)])
    let large = SignalProducer<Int, Never>(0..<10_000).sequence
    #expect(large.map { $0.get() } == Array(0..<10_000))
  }

  @Test func `a sequence that is given up interrupts its run`() {
    let ended = DispatchSemaphore(value: 0)
    let producer = SignalProducer<Int, Never> { observer, lifetime in
      lifetime.observeEnded { ended.signal() }
      observer.send(value: 1)
    }
    for _ in producer.sequence { break }
    #expect(ended.wait(timeout: .now() + 10) == .success)
  }

  @Test func `what is sent too much from elsewhere is dropped as the bound says`() {
    for (overflow, expected) in [(Bound<Never>.Overflow.dropOldest, [4, 5]), (.dropNewest, [1, 2])] {
      let (signal, input) = Signal<Int, Never>.pipe()
      // The first element shows that the signal is now being observed.
      let producer = SignalProducer(signal).prefix(value: 0).on(started: { input.send(value: 0) })
      var iterator = producer.sequence(Bound(limit: 2, overflow: overflow)).makeIterator()
      #expect(iterator.next() == .success(0))
      #expect(iterator.next() == .success(0))
      for value in 1...5 { input.send(value: value) }
      input.sendCompleted()
      #expect([iterator.next(), iterator.next()] == expected.map { .success($0) })
      #expect(iterator.next() == nil)
    }
  }
}
