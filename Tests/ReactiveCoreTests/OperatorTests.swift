import ReactiveCore
import ReactiveTesting
import Testing

typealias Letters = Signal<Character, MarbleFailure>
typealias LetterProducer = SignalProducer<Character, MarbleFailure>

/// The inputs of an operator under test.
struct MarbleInputs<Stream> {
  let all: [Stream]
  let scheduler: TestScheduler

  subscript(index: Int) -> Stream { all[index] }
}

/// One operator drawn as marbles, for signals and producers, or for producers alone if it restarts its source.
struct MarbleCase: Sendable, CustomTestStringConvertible {
  let name: String
  let inputs: [String]
  let expected: String
  let signal: (@Sendable (MarbleInputs<Letters>) -> Letters)?
  let producer: @Sendable (MarbleInputs<LetterProducer>) -> LetterProducer

  init(
    _ name: String, _ inputs: String..., expecting expected: String,
    signal: (@Sendable (MarbleInputs<Letters>) -> Letters)? = nil,
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
  @Test(arguments: cases.filter { $0.signal != nil })
  func `an operator of signals does what its marbles show`(_ marbles: MarbleCase) throws {
    let output = try #require(marbles.signal)
    let test = MarbleTest()
    let inputs = MarbleInputs(all: marbles.inputs.map { test.signal($0) }, scheduler: test.scheduler)
    let difference = test.run(output(inputs), expecting: marbles.expected)
    #expect(difference == nil, "\(marbles.name)\n\(difference?.description ?? "")")
  }

  @Test(arguments: cases) func `an operator of producers does what its marbles show`(_ marbles: MarbleCase) {
    let test = MarbleTest()
    let inputs = MarbleInputs(all: marbles.inputs.map { test.producer($0) }, scheduler: test.scheduler)
    let difference = test.run(marbles.producer(inputs), expecting: marbles.expected)
    #expect(difference == nil, "\(marbles.name)\n\(difference?.description ?? "")")
  }
}

func upper(_ character: Character) -> Character { Character(character.uppercased()) }
func digit(_ character: Character) -> Int { character.wholeNumberValue ?? 0 }
func figure(_ number: Int) -> Character { String(number, radix: 36).first ?? "?" }
func total(_ figures: [Character]) -> Character { figure(figures.reduce(0) { $0 + digit($1) }) }
func isTrue(_ character: Character) -> Bool { character == "t" }
func truth(_ value: Bool) -> Character { value ? "t" : "f" }
let everlasting = Lifetime(CompositeDisposable())

func join(_ pair: (Character, Character)) -> Character { pair.0 < pair.1 ? pair.1 : upper(pair.0) }

extension OperatorTests {
  /// The cases of all families, one file each.
  static let cases: [MarbleCase] = [
    transformCases,
    filterCases,
    timeCases,
    combineCases,
    nestedCases,
    successionCases,
    effectsCases,
    sharingCases,
  ].flatMap { $0 }
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

  var trigger: Signal<(), Never> { withoutFailure().map(value: ()) }
}

extension SignalProducer {
  func withoutFailure() -> SignalProducer<Value, Never> { lift { $0.withoutFailure() } }

  var trigger: SignalProducer<(), Never> { withoutFailure().map(value: ()) }
}
