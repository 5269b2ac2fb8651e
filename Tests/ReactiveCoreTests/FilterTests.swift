import ReactiveCore
import ReactiveTesting
import Testing

@Suite struct FilterTests {
  @Test func `take(during:) completes when the lifetime ends, and at once if it has ended`() {
    let (lifetime, token) = Lifetime.make()
    let (signal, input) = Signal<Int, Never>.pipe()
    var seen: [Event<Int, Never>] = []
    let taken = signal.take(during: lifetime)
    taken.observe { seen.append($0) }
    var run: [Event<Int, Never>] = []
    SignalProducer(signal).take(during: lifetime).start { run.append($0) }
    input.send(value: 1)
    token.dispose()
    input.send(value: 2)
    #expect(seen == [.value(1), .completed])
    #expect(run == seen)
    var late: [Event<Int, Never>] = []
    SignalProducer<Int, Never>(value: 1).take(during: lifetime).start { late.append($0) }
    #expect(late == [.completed])
  }

  @Test func `take(during:) leaves nothing with a lifetime that continues`() {
    let (lifetime, token) = Lifetime.make()
    weak var captured: AnyObject?
    do {
      let object = MutableProperty(0)
      captured = object
      let (signal, input) = Signal<Int, Never>.pipe()
      signal.take(during: lifetime).observeValues { object.value = $0 }
      input.sendCompleted()
    }
    #expect(captured == nil)
    withExtendedLifetime((lifetime, token)) {}
  }

  @Test func `take(first: 0) interrupts a run and starts nothing`() {
    var hasStarted = false
    var seen: [Event<Int, Never>] = []
    SignalProducer<Int, Never>(value: 1).on(starting: { hasStarted = true }).take(first: 0).start { seen.append($0) }
    #expect(seen == [.interrupted])
    #expect(!hasStarted)
  }

  @Test func `what ends early leaves its source`() {
    let enders: [(SignalProducer<Int, Never>) -> SignalProducer<Int, Never>] = [
      { $0.take(first: 1) }, { $0.take(while: { $0 < 1 }) }, { $0.take(until: { $0 < 1 }) },
      { $0.first { $0 == 1 } }, { $0.element(at: 0) }, { $0.any().map(value: 1) },
      { $0.all { $0 != 1 }.map(value: 1) }, { $0.isEmpty().map(value: 1) },
    ]
    for end in enders {
      var isOver = false
      var input: SignalProducer<Int, Never>.Observer?
      var hasCompleted = false
      let source = SignalProducer<Int, Never> { observer, lifetime in
        input = observer
        lifetime.observeEnded { isOver = true }
      }
      end(source).startWithCompleted { hasCompleted = true }
      #expect(!isOver)
      input?.send(value: 1)
      #expect(hasCompleted && isOver)
    }
  }

  @Test func `a source that sends in one go stops at the last value that is wanted`() {
    var pulled = 0
    let numbers = sequence(first: 1) { $0 + 1 }.lazy.map { number -> Int in
      pulled += 1
      return number
    }
    #expect(values(SignalProducer<Int, Never>(numbers).first { $0 > 3 }) == [4])
    // One more is requested before the cancellation is noticed.
    #expect(pulled == 5)
  }

  @Test func `uniqueValues within a while releases keys that do not come again`() {
    let scheduler = TestScheduler()
    let (signal, input) = Signal<Int, Never>.pipe()
    var seen: [Int] = []
    signal.uniqueValues({ $0 }, idle: 10, on: scheduler).observeValues { seen.append($0) }
    for second in 0..<40 {
      input.send(value: second % 20)
      scheduler.advance(by: .seconds(1))
    }
    #expect(seen == Array(0..<20) + Array(0..<20))
    input.send(value: 19)
    #expect(seen.count == 40)
    input.sendCompleted()
  }

  @Test func `a trigger may be a signal, a producer or a property`() {
    let property = MutableProperty(())
    let numbers = SignalProducer<Int, Never>([1, 2])
    #expect(values(numbers.take(until: property)) == [])
    #expect(values(numbers.skip(until: property)) == [1, 2])
    #expect(values(numbers.take(untilReplacement: MutableProperty(3))).last == 3)
  }
}
