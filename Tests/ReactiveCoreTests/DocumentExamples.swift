import ReactiveCore
import ReactiveTesting
import Testing

/// The examples of the articles and doc comments, each the body of a test; another test compares them.
@Suite struct DocumentExamples {
  @Test func `a signal`() {
    let (temperatures, input) = Signal<Double, Never>.pipe()

    temperatures
      .map { ($0 - 32) / 1.8 }
      .skipRepeats()
      .filter { $0 > 30 }
      .observeValues { print("too hot:", $0) }

    input.send(value: 90)
  }

  @Test func `values that an input sends`() {
    let (clicks, input) = Signal<Int, Never>.pipe()
    clicks.observeValues { print("clicked", $0) }
    input.send(value: 1)
    input.sendCompleted()
  }

  @Test func `work that begins when it is started`() {
    let countdown = SignalProducer<Int, Never> { observer, lifetime in
      for number in stride(from: 3, to: 0, by: -1) where !lifetime.hasEnded {
        observer.send(value: number)
      }
      observer.sendCompleted()
    }
    countdown.startWithValues { print($0) }
  }

  @Test func `a value that is always there`() {
    let limit = MutableProperty(25.0)
    let text = limit.map { "at most \($0) degrees" }
    text.producer.startWithValues { print($0) }
    limit.value = 26
  }

  @Test func `time without waiting`() {
    let clock = TestScheduler()
    let (keys, typed) = Signal<String, Never>.pipe()
    keys.debounce(.seconds(2), on: clock).observeValues { print("search for", $0) }
    typed.send(value: "signal")
    clock.advance(by: .seconds(2))
  }

  @Test func `two diagrams that agree`() {
    let test = MarbleTest()
    let difference = test.run(test.signal("ab-c|").filter { $0 != "b" }, expecting: "a--c|")
    #expect(difference == nil)
  }

  @Test func `a debounce as diagrams`() {
    let test = MarbleTest()
    let input = test.signal("ab--c-|")
    let difference = test.run(input.debounce(1, on: test.scheduler), expecting: "--b--c|")
    #expect(difference == nil)
  }

  @Test func `values on the main actor`() {
    @MainActor final class Thermometer {
      var degrees = 0.0

      func show(_ temperatures: Signal<Double, Never>) {
        temperatures.observeValues(on: MainActor.self) { self.degrees = $0 }
      }
    }
  }
}
