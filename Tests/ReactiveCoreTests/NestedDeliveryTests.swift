import ReactiveCore
import Synchronization
import Testing

/// Sends, switches and disposals during a delivery of streams that start others.
@Suite struct NestedDeliveryTests {
  /// More events than a disposed stream may send: an endless one stops there.
  private static let patience = 1_000

  /// A stream that lasts until it is disposed of.
  struct Endless: Sendable, CustomTestStringConvertible {
    let name: String
    let producer: @Sendable () -> SignalProducer<Int, Failure>
    var testDescription: String { name }
  }

  private static func work(_ value: Int) -> SignalProducer<Int, Failure> {
    SignalProducer { observer, _ in
      observer.send(value: value)
      observer.sendCompleted()
    }
  }

  @Test func `a switch in the middle of an inner value drops what the inner sends after it`() {
    let (first, firstInput) = Signal<String, Never>.pipe()
    let (second, secondInput) = Signal<String, Never>.pipe()
    let (outer, outerInput) = Signal<Signal<String, Never>, Never>.pipe()
    var log: [String] = []
    outer.flatten(.latest).observeValues { value in
      log.append(value)
      guard value == "a" else { return }
      // All from inside the delivery: the first is disconnected at once, the second observed from then on.
      outerInput.send(value: second)
      firstInput.send(value: "late")
      secondInput.send(value: "early")
    }
    outerInput.send(value: first)
    firstInput.send(value: "a")
    firstInput.send(value: "later")
    secondInput.send(value: "b")
    #expect(log == ["a", "early", "b"])
    outerInput.sendCompleted()
    secondInput.sendCompleted()
  }

  @Test(arguments: [("merge", FlattenStrategy.merge), ("concat", .concat), ("latest", .latest), ("race", .race)])
  func `disposing in the middle of an endless inner stream ends it`(_ name: String, _ strategy: FlattenStrategy) {
    var log: [String] = []
    var disposals = 0
    SignalProducer<Int, Never>([0, 1])
      .flatMap(strategy) { _ in SignalProducer<Int, Never>(0..<Self.patience).on(disposed: { disposals += 1 }) }
      .startWithSignal { signal, handle in
        signal.observe { event in
          log.append("\(event)")
          if event.value == 2 { handle.dispose() }
        }
      }
    #expect(log == ["VALUE 0", "VALUE 1", "VALUE 2", "INTERRUPTED"])
    #expect(disposals == 1)
  }

  private static let endless: [Endless] = [
    Endless(name: "repeat of a known value") { SignalProducer(value: 7).repeat() },
    Endless(name: "repeat of work") { work(7).repeat() },
    Endless(name: "retry") { work(7).concat(error: Failure(code: 1)).retry() },
    Endless(name: "retry(when:)") { work(7).concat(error: Failure(code: 1)).retry { $0.promoteError() } },
    Endless(name: "repeat(when:)") { work(7).repeat { $0.promoteError() } },
    Endless(name: "concat") { .concat((0...).lazy.map { _ in work(7) }) },
    Endless(name: "flatMap(.concat)") { SignalProducer<Int, Failure>(0...).flatMap(.concat) { _ in work(7) } },
    Endless(name: "flatMap(.latest)") { SignalProducer<Int, Failure>(0...).flatMap(.latest) { _ in work(7) } },
    Endless(name: "expand") { work(7).expand { _ in work(7) } },
  ]

  @Test(arguments: endless) func `disposing in the middle ends what would continue for ever`(_ endless: Endless) {
    let producer = endless.producer().take(first: Self.patience)
    var log: [String] = []
    producer.startWithSignal { signal, handle in
      signal.observe { event in
        log.append("\(event)")
        if log.count == 3 { handle.dispose() }
      }
    }
    #expect(log == ["VALUE 7", "VALUE 7", "VALUE 7", "INTERRUPTED"])
    var taken = 0
    producer.take(first: 2).start(.init(value: { _ in taken += 1 }))
    #expect(taken == 2)
  }

  @Test func `the winner of a race may be chosen by the observer of another stream, in the middle of its delivery`() {
    let (left, leftInput) = Signal<Int, Never>.pipe()
    let (right, rightInput) = Signal<Int, Never>.pipe()
    var seen: [Int] = []
    left.observeValues { _ in rightInput.send(value: 1) }
    Signal.race(left, right).observeValues { seen.append($0) }
    leftInput.send(value: 0)
    rightInput.send(value: 2)
    leftInput.send(value: 3)
    #expect(seen == [1, 2, 1])
    leftInput.sendCompleted()
    rightInput.sendCompleted()
  }

  @Test func `what a winner makes its observer send to a loser is not received`() {
    let (left, leftInput) = Signal<Int, Never>.pipe()
    let (right, rightInput) = Signal<Int, Never>.pipe()
    var seen: [Int] = []
    Signal.race(left, right).observeValues { value in
      seen.append(value)
      rightInput.send(value: 100 + value)
    }
    leftInput.send(value: 0)
    leftInput.send(value: 1)
    #expect(seen == [0, 1])
    leftInput.sendCompleted()
    rightInput.sendCompleted()
  }

  @Test func `a value sent to a group by the observer of groups comes after its opening`() {
    let (keys, input) = Signal<Int, Never>.pipe()
    var log: [String] = []
    keys.groupBy { $0 % 2 }.observeValues { group in
      log.append("group \(group.key)")
      if group.key == 0 { input.send(value: 1) }
      group.observeValues { log.append("\($0) in \(group.key)") }
    }
    input.send(value: 0)
    input.send(value: 3)
    #expect(log == ["group 0", "0 in 0", "group 1", "1 in 1", "3 in 1"])
    input.sendCompleted()
  }

  @Test func `the ending of what decides ends the try under way`() {
    var starts = 0
    var log: [String] = []
    let (decisions, decide) = Signal<(), Failure>.pipe()
    let producer = SignalProducer<Int, Failure> { observer, _ in
      starts += 1
      observer.send(value: starts)
      if starts == 1 { decide.sendCompleted() }
      observer.send(value: -1)
      observer.send(error: Failure(code: starts))
    }
    producer.retry { _ in decisions }.start { log.append("\($0)") }
    #expect(log == ["VALUE 1", "COMPLETED"])
    #expect(starts == 1)
  }

  @Test func `what follows is started after the resources of what was before are released`() {
    var log: [String] = []
    var starts = 0
    let producer = SignalProducer<Int, Failure> { observer, lifetime in
      starts += 1
      let number = starts
      log.append("start \(number)")
      lifetime.observeEnded { log.append("end \(number)") }
      if number < 3 { observer.send(error: Failure(code: number)) } else { observer.sendCompleted() }
    }
    producer.retry(upTo: 5).start()
    #expect(log == ["start 1", "end 1", "start 2", "end 2", "start 3", "end 3"])
  }

  @Test func `a race has one winner, also when another stream arrives in the moment of the win`() {
    for _ in 0..<200 {
      let (first, firstInput) = Signal<Int, Never>.pipe()
      let (second, secondInput) = Signal<Int, Never>.pipe()
      let (outer, outerInput) = Signal<Signal<Int, Never>, Never>.pipe()
      let winners = Mutex<Set<Int>>([])
      outer.flatten(.race).observeValues { value in winners.withLock { _ = $0.insert(value) } }
      outerInput.send(value: first)
      onThreads(2) { thread in
        if thread == 0 {
          firstInput.send(value: 1)
        } else {
          outerInput.send(value: second)
          secondInput.send(value: 2)
        }
        firstInput.send(value: 1)
        secondInput.send(value: 2)
      }
      #expect(winners.withLock { $0.count } == 1)
      outerInput.sendCompleted()
      firstInput.sendCompleted()
      secondInput.sendCompleted()
    }
  }

  @Test func `a fallback is started after the source that took too long is left`() {
    let scheduler = TestScheduler()
    var log: [String] = []
    SignalProducer<Int, Never>.never.on(disposed: { log.append("left") })
      .timeout(after: 1, fallback: SignalProducer(value: 1).on(starting: { log.append("starts") }), on: scheduler)
      .start { log.append("\($0)") }
    scheduler.advance(by: .seconds(1))
    #expect(log == ["left", "starts", "VALUE 1", "COMPLETED"])
  }

  @Test func `a race leaves the losers before it sends the winner's first value`() {
    let (winner, input) = Signal<Int, Never>.pipe()
    var log: [String] = []
    SignalProducer.race([SignalProducer.never.on(disposed: { log.append("left") }), winner.producer])
      .start { log.append("\($0)") }
    input.send(value: 1)
    input.sendCompleted()
    #expect(log == ["left", "VALUE 1", "COMPLETED"])
  }

  @Test func `a race of none completes`() {
    var log: [String] = []
    SignalProducer<Int, Never>.race([SignalProducer<Int, Never>]()).start { log.append("\($0)") }
    #expect(log == ["COMPLETED"])
  }

  @Test(arguments: [
    (Bound<Failure>.Overflow.dropOldest, ["VALUE 3", "VALUE 4", "COMPLETED"]),
    (.dropNewest, ["VALUE 1", "VALUE 2", "COMPLETED"]),
    (.fail(Failure(code: 1)), ["FAILED Failure(code: 1)"]),
  ]) func `a concat of signals holds as much as it may`(_ overflow: Bound<Failure>.Overflow, _ expected: [String]) {
    let (first, firstInput) = Signal<Int, Failure>.pipe()
    let (second, secondInput) = Signal<Int, Failure>.pipe()
    var log: [String] = []
    first.concat(second, limit: Bound(limit: 2, overflow: overflow)).observe { log.append("\($0)") }
    for value in 1...4 { secondInput.send(value: value) }
    firstInput.sendCompleted()
    secondInput.sendCompleted()
    #expect(log == expected)
  }

  @Test func `the oldest group is evicted however many keys come`() {
    var keys = 0
    var completed = 0
    SignalProducer<Int, Failure>(0..<20_000)
      .groupBy({ $0 }, limit: Bound(limit: 5_000, overflow: .dropOldest))
      .start(
        .init(value: { group in
          keys += 1
          group.observeCompleted { completed += 1 }
        }))
    #expect(keys == 20_000)
    #expect(completed == 20_000)
  }
}
