import ReactiveCore
import ReactiveTesting
import Testing

@Suite struct CombineTests {
  @Test func `signals, producers and properties are joined in any mixture`() {
    let (signal, input) = Signal<Double, Never>.pipe()
    let number = SignalProducer<Int, Never>([1, 2])
    let name = MutableProperty("a")
    var zipped: [String] = []
    var combined: [String] = []
    SignalProducer.zip(number, name, signal, Property(value: true)).startWithValues { zipped.append("\($0)") }
    SignalProducer.combineLatest(number, name, signal).startWithValues { combined.append("\($0)") }
    input.send(value: 0.5)
    name.value = "b"
    #expect(zipped == [#"(1, "a", 0.5, true)"#])
    #expect(combined == [#"(2, "a", 0.5)"#, #"(2, "b", 0.5)"#])
    #expect(values(SignalProducer.merge(number, Property(value: 3))) == [1, 2, 3])
    input.sendCompleted()
  }

  @Test func `a join of nothing sends what stands for that, or just completes`() {
    let none: [SignalProducer<Int, Never>] = []
    #expect(values(SignalProducer.zip(none, emptySentinel: [7])) == [[7]])
    #expect(values(SignalProducer.combineLatest(none, emptySentinel: [7])) == [[7]])
    #expect(values(SignalProducer.zip(none)) == [])
    #expect(values(SignalProducer.combineLatest(none)) == [])
    let one = [SignalProducer<Int, Never>(value: 1)]
    #expect(values(SignalProducer.zip(one, emptySentinel: [7])) == [[1]])
    #expect(values(SignalProducer.combineLatest(one, emptySentinel: [7])) == [[1]])
  }

  @Test func `a signal takes the latest of a producer and of a property along`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let name = MutableProperty("a")
    var seen: [String] = []
    signal.withLatest(from: name).observeValues { seen.append("\($0.0)\($0.1)") }
    signal.withLatest(from: SignalProducer<String, Never>(["x", "y"])).observeValues { seen.append("\($0.0)\($0.1)") }
    input.send(value: 1)
    name.value = "b"
    input.send(value: 2)
    #expect(seen == ["1a", "1y", "2b", "2y"])
    input.sendCompleted()
  }

  @Test func `withLatest continues when the other is interrupted`() {
    let (signal, input) = Signal<Int, Never>.pipe()
    let (other, otherInput) = Signal<Int, Never>.pipe()
    var seen: [Event<Int, Never>] = []
    signal.withLatest(from: other).map { $0 + $1 }.observe { seen.append($0) }
    otherInput.send(value: 10)
    otherInput.sendInterrupted()
    input.send(value: 1)
    input.sendCompleted()
    #expect(seen == [.value(11), .completed])
  }

  @Test func `zip holds any number of values in their order`() {
    let (left, leftInput) = Signal<Int, Never>.pipe()
    let (right, rightInput) = Signal<Int, Never>.pipe()
    var seen: [Int] = []
    var hasCompleted = false
    left.zip(with: right).observe(
      Observer(value: { if $0.0 == $0.1 { seen.append($0.0) } }, completed: { hasCompleted = true }))
    // Ahead by turns, more and more.
    for number in 0..<1_000 {
      let (ahead, behind) = number % 200 < 100 ? (leftInput, rightInput) : (rightInput, leftInput)
      ahead.send(value: number)
      if number % 100 == 99 { for late in (number - 99)...number { behind.send(value: late) } }
    }
    #expect(seen == Array(0..<1_000))
    leftInput.sendCompleted()
    #expect(hasCompleted)
    rightInput.sendCompleted()
  }

  @Test func `a pair sent by an observer of pairs comes after the current one`() {
    let (left, leftInput) = Signal<Int, Never>.pipe()
    let (right, rightInput) = Signal<Int, Never>.pipe()
    var seen: [Int] = []
    left.zip(with: right).observeValues { pair in
      seen.append(pair.0)
      if pair.0 < 3 {
        rightInput.send(value: pair.1 + 1)
        leftInput.send(value: pair.0 + 1)
      }
      seen.append(-pair.0)
    }
    leftInput.send(value: 1)
    rightInput.send(value: 1)
    #expect(seen == [1, -1, 2, -2, 3, -3])
    leftInput.sendCompleted()
    rightInput.sendCompleted()
  }
}
