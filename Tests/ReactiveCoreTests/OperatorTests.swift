import ReactiveCore
import ReactiveTesting
import Testing

typealias Letters = Signal<Character, MarbleFailure>
typealias LetterProducer = SignalProducer<Character, MarbleFailure>

/// What an operator under test works on.
struct MarbleInputs<Stream> {
  let all: [Stream]
  let scheduler: TestScheduler

  subscript(index: Int) -> Stream { all[index] }
}

/// One operator drawn as marbles, for both of its ways in.
struct MarbleCase: Sendable, CustomTestStringConvertible {
  let name: String
  let inputs: [String]
  let expected: String
  let signal: @Sendable (MarbleInputs<Letters>) -> Letters
  let producer: @Sendable (MarbleInputs<LetterProducer>) -> LetterProducer

  init(
    _ name: String, _ inputs: String..., expecting expected: String,
    signal: @escaping @Sendable (MarbleInputs<Letters>) -> Letters,
    producer: @escaping @Sendable (MarbleInputs<LetterProducer>) -> LetterProducer
  ) {
    self.name = name
    self.inputs = inputs
    self.expected = expected
    self.signal = signal
    self.producer = producer
  }

  var testDescription: String { "\(name): \(inputs.joined(separator: ", ")) → \(expected)" }
}

@Suite struct OperatorTests {
  @Test(arguments: cases) func `an operator of signals does what its marbles show`(_ marbles: MarbleCase) {
    let test = MarbleTest()
    let inputs = MarbleInputs(all: marbles.inputs.map { test.signal($0) }, scheduler: test.scheduler)
    let difference = test.run(marbles.signal(inputs), expecting: marbles.expected)
    #expect(difference == nil, "\(marbles.name)\n\(difference?.description ?? "")")
  }

  @Test(arguments: cases) func `an operator of producers does what its marbles show`(_ marbles: MarbleCase) {
    let test = MarbleTest()
    let inputs = MarbleInputs(all: marbles.inputs.map { test.producer($0) }, scheduler: test.scheduler)
    let difference = test.run(marbles.producer(inputs), expecting: marbles.expected)
    #expect(difference == nil, "\(marbles.name)\n\(difference?.description ?? "")")
  }
}

private func upper(_ character: Character) -> Character { Character(character.uppercased()) }
private func join(_ pair: (Character, Character)) -> Character { pair.0 < pair.1 ? pair.1 : upper(pair.0) }

extension OperatorTests {
  static let cases: [MarbleCase] = [
    MarbleCase("map", "ab-c|", expecting: "AB-C|", signal: { $0[0].map(upper) }, producer: { $0[0].map(upper) }),
    MarbleCase(
      "map forwards a failure", "ab-#", expecting: "AB-#", signal: { $0[0].map(upper) }, producer: { $0[0].map(upper) }),
    MarbleCase(
      "map forwards an interruption", "ab-!", expecting: "AB-!", signal: { $0[0].map(upper) },
      producer: { $0[0].map(upper) }),
    MarbleCase(
      "filter", "abab|", expecting: "a-a-|", signal: { $0[0].filter { $0 == "a" } },
      producer: { $0[0].filter { $0 == "a" } }),
    MarbleCase(
      "compactMap", "abab|", expecting: "A-A-|", signal: { $0[0].compactMap { $0 == "a" ? "A" : nil } },
      producer: { $0[0].compactMap { $0 == "a" ? "A" : nil } }),
    MarbleCase(
      "scan", "1-23|", expecting: "1-36|",
      signal: { $0[0].scan(0) { $0 + ($1.wholeNumberValue ?? 0) }.map { Character(String($0)) } },
      producer: { $0[0].scan(0) { $0 + ($1.wholeNumberValue ?? 0) }.map { Character(String($0)) } }),
    MarbleCase(
      "scanMap", "1-23|", expecting: "0-13|",
      signal: { $0[0].scanMap(0) { ($0 + ($1.wholeNumberValue ?? 0), Character(String($0))) } },
      producer: { $0[0].scanMap(0) { ($0 + ($1.wholeNumberValue ?? 0), Character(String($0))) } }),
    MarbleCase(
      "skipRepeats", "aab-ba|", expecting: "a-b--a|", signal: { $0[0].skipRepeats() }, producer: { $0[0].skipRepeats() }
    ),
    MarbleCase(
      "skip(first:)", "ab-cd|", expecting: "---cd|", signal: { $0[0].skip(first: 2) },
      producer: { $0[0].skip(first: 2) }),
    MarbleCase(
      "take(first:)", "ab-cd|", expecting: "ab-(c|)", signal: { $0[0].take(first: 3) },
      producer: { $0[0].take(first: 3) }),
    MarbleCase(
      "take(until:) ends with a value", "ab-cd|", "--x", expecting: "ab|",
      signal: { $0[0].take(until: $0[1].withoutFailure().map(value: ())) },
      producer: { $0[0].take(until: $0[1].withoutFailure().map(value: ())) }),
    MarbleCase(
      "take(until:) ends with a completion", "a-cd|", "-|", expecting: "a|",
      signal: { $0[0].take(until: $0[1].withoutFailure().map(value: ())) },
      producer: { $0[0].take(until: $0[1].withoutFailure().map(value: ())) }),
    MarbleCase(
      "merge", "a-b|", "-c--d|", expecting: "acb-d|", signal: { .merge($0.all) }, producer: { .merge($0.all) }),
    MarbleCase(
      "merge fails with the first", "a-#", "-c--d|", expecting: "ac#", signal: { .merge($0.all) },
      producer: { .merge($0.all) }),
    MarbleCase(
      "combineLatest", "a--b-|", "-xy---|", expecting: "-xyy--|",
      signal: { $0[0].combineLatest(with: $0[1]).map(join) }, producer: { $0[0].combineLatest(with: $0[1]).map(join) }),
    MarbleCase(
      "combineLatest of many", "a--d-|", "-b----|", "--c---|", expecting: "--cd--|",
      signal: { .combineLatest($0.all).map { $0.max() ?? "?" } },
      producer: { .combineLatest($0.all).map { $0.max() ?? "?" } }),
    MarbleCase(
      "withLatest(from:)", "a-bc-|", "-x--y|", expecting: "--xx-|",
      signal: { $0[0].withLatest(from: $0[1].withoutFailure()).map(join) },
      producer: { $0[0].withLatest(from: $0[1].withoutFailure()).map(join) }),
    MarbleCase(
      "sample(on:) repeats", "a---b-|", "-xx--x|", expecting: "-aa--b|",
      signal: { $0[0].sample(on: $0[1].withoutFailure().map(value: ())) },
      producer: { $0[0].sample(on: $0[1].withoutFailure().map(value: ())) }),
    MarbleCase(
      "debounce", "ab---c----|", expecting: "---b---c--|", signal: { $0[0].debounce(2, on: $0.scheduler) },
      producer: { $0[0].debounce(2, on: $0.scheduler) }),
    MarbleCase(
      "debounce drops at completion", "a-b|", expecting: "---|", signal: { $0[0].debounce(2, on: $0.scheduler) },
      producer: { $0[0].debounce(2, on: $0.scheduler) }),
    MarbleCase(
      "debounce flushes at completion", "a-b|", expecting: "---(b|)",
      signal: { $0[0].debounce(2, on: $0.scheduler, discardWhenCompleted: false) },
      producer: { $0[0].debounce(2, on: $0.scheduler, discardWhenCompleted: false) }),
    MarbleCase(
      "debounce fails at once", "ab-#", expecting: "---#", signal: { $0[0].debounce(2, on: $0.scheduler) },
      producer: { $0[0].debounce(2, on: $0.scheduler) }),
    MarbleCase(
      "throttle", "abcd-----e-|", expecting: "a-c-d----e-|", signal: { $0[0].throttle(2, on: $0.scheduler) },
      producer: { $0[0].throttle(2, on: $0.scheduler) }),
    MarbleCase(
      "throttle leading", "abcd-----e-|", expecting: "a-c------e-|",
      signal: { $0[0].throttle(2, on: $0.scheduler, trailing: false) },
      producer: { $0[0].throttle(2, on: $0.scheduler, trailing: false) }),
    MarbleCase(
      "throttle trailing", "abc------e---|", expecting: "--c--------e-|",
      signal: { $0[0].throttle(2, on: $0.scheduler, leading: false) },
      producer: { $0[0].throttle(2, on: $0.scheduler, leading: false) }),
    MarbleCase(
      "delay", "ab-c|", expecting: "--ab-c|", signal: { $0[0].delay(2, on: $0.scheduler) },
      producer: { $0[0].delay(2, on: $0.scheduler) }),
    MarbleCase(
      "delay fails at once", "ab-#", expecting: "--a#", signal: { $0[0].delay(2, on: $0.scheduler) },
      producer: { $0[0].delay(2, on: $0.scheduler) }),
    MarbleCase(
      "window(count:)", "abcd|", expecting: "1233|",
      signal: { $0[0].window(count: 3).map { Character(String($0.count)) } },
      producer: { $0[0].window(count: 3).map { Character(String($0.count)) } }),
    MarbleCase(
      "window(count:) without partial ones", "abcd|", expecting: "--cd|",
      signal: { $0[0].window(count: 3, partial: false).map { $0[2] } },
      producer: { $0[0].window(count: 3, partial: false).map { $0[2] } }),
    MarbleCase(
      "window of time", "abc--d|", expecting: "122--1|",
      signal: { $0[0].window(2, on: $0.scheduler).map { Character(String($0.count)) } },
      producer: { $0[0].window(2, on: $0.scheduler).map { Character(String($0.count)) } }),
    MarbleCase(
      "observe(on:)", "a(bc)-#", expecting: "a(bc)-#", signal: { $0[0].observe(on: $0.scheduler) },
      producer: { $0[0].observe(on: $0.scheduler) }),
    MarbleCase(
      "materialize", "a-#", expecting: "v-(f|)",
      signal: { $0[0].materialize().map { $0.isTerminating ? "f" : "v" }.failing() },
      producer: { $0[0].materialize().map { $0.isTerminating ? "f" : "v" }.failing() }),
    MarbleCase(
      "on", "ab|", expecting: "ab|", signal: { $0[0].on(value: { _ in }) }, producer: { $0[0].on(value: { _ in }) }),
  ]
}

extension Signal {
  /// For operators whose other source cannot fail; its failure interrupts.
  func withoutFailure() -> Signal<Value, Never> {
    Signal<Value, Never> { observer, lifetime in
      lifetime += observe(
        Observer(
          value: observer.send(value:), failed: { _ in observer.sendInterrupted() },
          completed: observer.sendCompleted, interrupted: observer.sendInterrupted))
    }
  }
}

extension Signal where Failure == Never {
  func failing() -> Signal<Value, MarbleFailure> {
    Signal<Value, MarbleFailure> { observer, lifetime in
      lifetime += observe(Observer(value: observer.send(value:), ending: { observer.send($0.promoted()) }))
    }
  }
}

extension SignalProducer {
  func withoutFailure() -> SignalProducer<Value, Never> { lift { $0.withoutFailure() } }
}

extension SignalProducer where Failure == Never {
  func failing() -> SignalProducer<Value, MarbleFailure> { lift { $0.failing() } }
}
