import ReactiveCore
import Testing

@Suite struct PropertyContractTests {
  @Test func `a property's first value comes before start returns`() {
    let property = MutableProperty(1)
    var seen: [Event<Int, Never>] = []
    property.producer.start { seen.append($0) }
    #expect(seen == [.value(1)])
    property.value = 2
    #expect(seen == [.value(1), .value(2)])
  }

  @Test func `a start from inside the property's delivery gets the value directly afterwards`() {
    let property = MutableProperty(1)
    var log: [String] = []
    property.signal.take(first: 1).observeValues { [unowned property] value in
      log.append("begin \(value)")
      property.producer.startWithValues { log.append("newcomer \($0)") }
      log.append("end \(value)")
    }
    property.value = 2
    property.value = 3
    #expect(log == ["begin 2", "end 2", "newcomer 2", "newcomer 3"])
  }

  @Test func `a value set by an observer is there at once and delivered afterwards`() {
    let property = MutableProperty(0)
    var log: [String] = []
    property.signal.observeValues { [unowned property] value in
      if value == 1 {
        property.value = 2
        log.append("reads \(property.value)")
      }
      log.append("one \(value)")
    }
    property.signal.observeValues { log.append("two \($0)") }
    property.value = 1
    #expect(log == ["reads 2", "one 1", "two 1", "one 2", "two 2"])
  }

  @Test func `an observer that arrives between a change and its delivery misses and doubles nothing`() {
    let property = MutableProperty(0)
    var seen: [Int] = []
    property.signal.take(first: 1).observeValues { _ in
      property.value = 2
      property.producer.startWithValues { seen.append($0) }
      property.value = 3
    }
    property.value = 1
    #expect(seen == [2, 3])
  }

  @Test func `a property completes when it is released`() {
    var seen: [Event<Int, Never>] = []
    var property: MutableProperty<Int>? = MutableProperty(1)
    let producer = property?.producer
    let view = property?.map { $0 * 10 }
    view?.signal.observe { seen.append($0) }
    property?.value = 2
    property = nil
    #expect(seen == [.value(20), .completed])
    #expect(view?.value == 20)
    producer?.start { seen.append($0) }
    #expect(seen == [.value(20), .completed, .value(2), .completed])
  }

  @Test func `modify, swap and withValue work on the value in place`() {
    let property = MutableProperty([1])
    var seen: [[Int]] = []
    property.signal.observeValues { seen.append($0) }
    let count = property.modify { value in
      value.append(2)
      return value.count
    }
    #expect(count == 2)
    #expect(property.swap([]) == [1, 2])
    #expect(property.withValue { $0.isEmpty })
    #expect(seen == [[1, 2], []])
  }

  @Test func `modify delivers what was changed before an error`() {
    let property = MutableProperty(0)
    var seen: [Int] = []
    property.signal.observeValues { seen.append($0) }
    #expect(throws: Failure.self) {
      try property.modify { value in
        value = 1
        throw Failure(code: 1)
      }
    }
    #expect(seen == [1])
  }

  @Test func `views follow through several transformations`() {
    let property = MutableProperty(1)
    let view = property.map { $0 * 2 }.map { "\($0)" }
    var seen: [String] = []
    view.producer.startWithValues { seen.append($0) }
    property.value = 5
    property.value = 6
    #expect(seen == ["2", "10", "12"])
    #expect(view.value == "12")
  }

  @Test func `a property can follow a producer, a signal or another property`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let following = Property(initial: 0, then: signal)
    let view = Property(following)
    #expect(view.value == 0)
    input.send(value: 3)
    #expect(following.value == 3)
    #expect(view.value == 3)
    #expect(Property(initial: 0, then: SignalProducer([1, 2])).value == 2)
    #expect(Property(value: 7).value == 7)
  }

  @Test func `a binding sets the property until either is gone`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let target = MutableProperty(0)
    let source = MutableProperty(5)
    let optional = MutableProperty<Int?>(nil)
    let binding = target <~ signal
    optional <~ source
    input.send(value: 1)
    #expect(target.value == 1)
    #expect(optional.value == 5)
    binding?.dispose()
    input.send(value: 2)
    #expect(target.value == 1)
    target <~ source.map { $0 + 1 }
    #expect(target.value == 6)
    target <~ SignalProducer(value: 9)
    #expect(target.value == 9)
  }
}
