import ReactiveCore
import ReactiveTesting
import Testing

@Suite struct TransformTests {
  private struct Reading: Sendable {
    let sensor: String
    let battery: Int?
  }

  private struct Alarm: Equatable {
    let text: String
    let isUrgent: Bool
  }

  // Chains whose closures use several overloaded operators each are beyond Swift's type checker, for arrays too.
  @Test func `a chain of ten operators type-checks at once`() {
    let (readings, input) = Signal<Reading, Failure>.pipe()
    var alarms: [Alarm] = []
    readings
      .filter { !$0.sensor.isEmpty }
      .compactMap { $0.battery }
      .skipRepeats()
      .scan(into: [Int]()) { levels, level in levels.append(level) }
      .map(\.count)
      .combinePrevious(0)
      .map { before, now in max(before, now) }
      .filter { $0.isMultiple(of: 2) }
      .take(first: 5)
      .map { Alarm(text: "\($0) changes", isUrgent: $0 > 3) }
      .observe(Observer(value: { alarms.append($0) }))
    for level in [80, 80, 79, 78, 77] {
      input.send(value: Reading(sensor: "hall", battery: level))
      input.send(value: Reading(sensor: "", battery: level))
    }
    input.sendCompleted()
    #expect(alarms == [Alarm(text: "2 changes", isUrgent: false), Alarm(text: "4 changes", isUrgent: true)])
  }

  @Test func `a chain of ten operators of producers type-checks at once`() {
    var seen: [[String]] = []
    SignalProducer<Int, Never>(1...20)
      .filter { $0.isMultiple(of: 2) }
      .map { $0 * 3 }
      .map(\.description)
      .enumerate()
      .skip(first: 1)
      .map { index, text in "\(index): \(text)" }
      .take(while: { $0.count < 6 })
      .uniqueValues()
      .collect(count: 2)
      .on(value: { _ in })
      .startWithValues { seen.append($0) }
    #expect(seen.first == ["1: 12", "2: 18"])
    #expect(seen.joined().last == "9: 60")
  }

  @Test func `map takes a function, a key path or a value`() {
    let producer = SignalProducer<String, Never>(["a", "bcd"])
    #expect(values(producer.map { $0.count }) == [1, 3])
    #expect(values(producer.map(\.count)) == [1, 3])
    #expect(values(producer.map { "<\($0)>" }) == ["<a>", "<bcd>"])
    #expect(values(producer.map(value: 7)) == [7, 7])
  }

  @Test func `attemptMap and attempt fail with what is thrown`() {
    let producer = SignalProducer<Int, Never>([1, 2, 3])
    func check(_ number: Int) throws { if number == 3 { throw Failure(code: number) } }
    var events: [String] = []
    producer.attempt(check).attemptMap { number in
      try check(number + 1)
      return "\(number)"
    }.start { event in events.append("\(event)") }
    #expect(events == ["VALUE 1", "FAILED Failure(code: 3)"])
  }

  @Test func `mapError changes the error's type`() {
    var seen: Failure?
    SignalProducer<Int, MarbleFailure>(error: MarbleFailure()).mapError { _ in Failure(code: 4) }
      .startWithFailed { seen = $0 }
    #expect(seen == Failure(code: 4))
  }

  @Test func `lazyMap transforms only what is delivered`() {
    let scheduler = TestScheduler()
    let (signal, input) = Signal<Int, Never>.pipe()
    var transformed: [Int] = []
    var delivered: [Int] = []
    signal.lazyMap(on: scheduler) { value -> Int in
      transformed.append(value)
      return value * 10
    }.observeValues { delivered.append($0) }
    for value in 1...3 { input.send(value: value) }
    #expect(transformed == [])
    scheduler.advance()
    input.send(value: 4)
    scheduler.advance()
    #expect(transformed == [3, 4])
    #expect(delivered == [30, 40])
  }

  @Test func `reduce restarts in each run`() {
    let producer = SignalProducer<Int, Never>([1, 2]).reduce(into: [Int]()) { $0.append($1) }
    #expect(values(producer) == [[1, 2]])
    #expect(values(producer) == [[1, 2]])
  }

  @Test func `all of no booleans is true and any is false`() {
    #expect(values(SignalProducer<Bool, Never>.all([SignalProducer<Bool, Never>]())) == [true])
    #expect(values(SignalProducer<Bool, Never>.any([SignalProducer<Bool, Never>]())) == [false])
  }

  @Test func `booleans of producers are taken together with properties`() {
    let isOn = MutableProperty(true)
    let producer = SignalProducer<Bool, Never>(value: true)
    #expect(values(producer.and(isOn)) == [true])
    #expect(values(producer.negate().or(isOn)) == [true])
  }

  @Test func `what an observer sends into the source is delivered after the current value`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    var seen: [Int] = []
    signal.scan(0) { $0 + $1 }.combinePrevious(0).map { $1 }.observeValues { sum in
      seen.append(sum)
      if sum < 4 { input.send(value: 1) }
      seen.append(-sum)
    }
    input.send(value: 2)
    input.sendCompleted()
    #expect(seen == [2, -2, 3, -3, 4, -4])
  }
}

/// Returns the values that a producer emits at once.
func values<Value>(_ producer: SignalProducer<Value, Never>) -> [Value] {
  var values: [Value] = []
  producer.startWithValues { values.append($0) }.dispose()
  return values
}
