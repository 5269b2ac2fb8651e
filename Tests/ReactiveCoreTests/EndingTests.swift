import ReactiveCore
import ReactiveTesting
import Testing

/// The common rules of all operators except those that replace an ending, shown by their marble cases.
@Suite struct OperatorEndingTests {
  /// Operators that replace an ending.
  private static let deaf: Set<String> = [
    "promoteError", "promoteError keeps an interruption", "materialize", "materialize an interruption",
    "materializeResults", "materializeResults completes",
  ]

  static let cases: [MarbleCase] = [
    OperatorTests.transformCases,
    OperatorTests.filterCases,
    OperatorTests.timeCases,
    OperatorTests.combineCases,
    OperatorTests.nestedCases,
    OperatorTests.effectsCases,
    OperatorTests.sharingCases,
  ].flatMap { $0 }.filter { !deaf.contains($0.name) }

  /// Returns a case's other inputs, silent for long enough.
  private func others(_ marbles: MarbleCase) -> [String] { marbles.inputs.dropFirst().map { _ in "--------|" } }

  @Test(arguments: cases.filter { $0.signal != nil }, ["-#", "-!"])
  func `a signal's failure and interruption pass through each operator at once`(
    _ marbles: MarbleCase, _ end: String
  ) throws {
    let output = try #require(marbles.signal)
    let test = MarbleTest()
    let inputs = MarbleInputs(
      all: ([end] + others(marbles)).map { test.signal($0) }, scheduler: test.scheduler)
    let difference = test.run(output(inputs), expecting: end)
    #expect(difference == nil, "\(marbles.name)\n\(difference?.description ?? "")")
  }

  @Test(arguments: cases, ["-#", "-!"])
  func `a producer's failure and interruption pass through each operator at once`(
    _ marbles: MarbleCase, _ end: String
  ) {
    let test = MarbleTest()
    let inputs = MarbleInputs(
      all: ([end] + others(marbles)).map { test.producer($0) }, scheduler: test.scheduler)
    let difference = test.run(marbles.producer(inputs), expecting: end)
    #expect(difference == nil, "\(marbles.name)\n\(difference?.description ?? "")")
  }

  @Test(arguments: OperatorTests.cases.filter { !deaf.contains($0.name) })
  func `a run disposed of in the middle has sent what it had, is interrupted, and nothing follows`(
    _ marbles: MarbleCase
  ) {
    let whole = record(marbles, until: nil)
    for column in 0..<marbles.expected.count {
      let moment = Instant.zero + .milliseconds(column * 1_000 + 500)
      let cut = record(marbles, until: moment)
      let before = whole.filter { $0.date < moment }.map(\.event)
      let hasEnded = before.last?.isTerminating ?? false
      #expect(cut.map(\.event) == (hasEnded ? before : before + [.interrupted]), "\(marbles) at column \(column)")
    }
  }

  private func record(
    _ marbles: MarbleCase, until moment: Instant?
  ) -> [Recorder<Character, MarbleFailure>.Entry] {
    let test = MarbleTest()
    let inputs = MarbleInputs(all: marbles.inputs.map { test.producer($0) }, scheduler: test.scheduler)
    let recorder = Recorder(marbles.producer(inputs), on: test.scheduler)
    if let moment {
      test.scheduler.advance(to: moment)
      recorder.dispose()
    }
    test.scheduler.advance(by: .seconds(30))
    return recorder.entries
  }

  @Test(arguments: OperatorTests.cases.filter { $0.signal != nil })
  func `a signal's observer disposed of in the middle receives nothing more`(_ marbles: MarbleCase) throws {
    let output = try #require(marbles.signal)
    for column in 0..<marbles.expected.count {
      let test = MarbleTest()
      let inputs = MarbleInputs(all: marbles.inputs.map { test.signal($0) }, scheduler: test.scheduler)
      let recorder = Recorder(output(inputs), on: test.scheduler)
      test.scheduler.advance(to: .zero + .milliseconds(column * 1_000 + 500))
      let before = recorder.events
      recorder.dispose()
      test.scheduler.advance(by: .seconds(30))
      #expect(recorder.events == before)
    }
  }
}
