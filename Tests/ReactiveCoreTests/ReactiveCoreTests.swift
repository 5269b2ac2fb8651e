import ReactiveCore
import Testing

@Suite struct First {
  @Test func `debounce keeps only the last value`() {
    let scheduler = TestScheduler()
    let (signal, input) = Signal<Int, Never>.pipe()
    var seen: [Event<Int, Never>] = []
    signal.debounce(1, on: scheduler).observe { seen.append($0) }
    input.send(value: 1)
    scheduler.advance(by: 0.5)
    input.send(value: 2)
    scheduler.advance(by: 0.9)
    #expect(seen == [])
    scheduler.advance(by: 0.1)
    #expect(seen == [.value(2)])
    input.sendCompleted()
    scheduler.advance()
    #expect(seen == [.value(2), .completed])
  }

  @Test func `a property's changes reach its views`() {
    let property = MutableProperty(1)
    let view = property.map { $0 * 2 }.map { "\($0)" }
    var seen: [String] = []
    view.producer.startWithValues { seen.append($0) }
    property.value = 5
    property.value = 6
    #expect(seen == ["2", "10", "12"])
    #expect(view.value == "12")
  }

  @Test func `a producer's operators work on each run`() {
    var seen: [Event<Int, Never>] = []
    let producer = SignalProducer<Int, Never>([1, 2, 2, 3]).skipRepeats().scan(0) { $0 + $1 }.map { $0 * 10 }
    producer.start { seen.append($0) }
    producer.start { seen.append($0) }
    #expect(
      seen == [.value(10), .value(30), .value(60), .completed] + [.value(10), .value(30), .value(60), .completed])
  }
}
