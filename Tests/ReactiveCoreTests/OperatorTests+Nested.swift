import ReactiveCore
import ReactiveTesting

extension MarbleInputs {
  /// Returns the drawn events, counted from each start, for inner streams.
  func cold(_ diagram: String) -> LetterProducer {
    LetterProducer { [scheduler] observer, lifetime in
      let start = scheduler.currentDate
      for (column, mark) in diagram.enumerated() where mark != "-" {
        lifetime += scheduler.schedule(after: start + .seconds(column)) {
          switch mark {
          case "|": observer.sendCompleted()
          case "#": observer.send(error: MarbleFailure())
          case "!": observer.sendInterrupted()
          default: observer.send(value: mark)
          }
        }
      }
    }
  }

  /// Returns a letter, its upper case two columns later, then the completion.
  func pair(_ letter: Character) -> LetterProducer { cold("\(letter)-\(upper(letter))|") }
}

private let fails = Bound(limit: 1, overflow: .fail(MarbleFailure()))

private func even(_ letters: [Character]) -> LetterProducer { LetterProducer(letters) }

extension OperatorTests {
  static let nestedCases: [MarbleCase] = flattenCases + groupCases + choiceCases

  private static let flattenCases: [MarbleCase] = [
    MarbleCase(
      "flatMap(.merge)", "ab----|", expecting: "abAB--|", signal: { $0[0].flatMap(.merge, $0.pair) },
      producer: { $0[0].flatMap(.merge, $0.pair) }),
    MarbleCase(
      "flatMap(.merge) completes with the last inner", "a|", expecting: "a-A|",
      signal: { $0[0].flatMap(.merge, $0.pair) }, producer: { $0[0].flatMap(.merge, $0.pair) }),
    MarbleCase(
      "flatMap(.merge) fails with an inner", "a----|", expecting: "--#",
      signal: { inputs in inputs[0].flatMap(.merge) { _ in inputs.cold("--#") } },
      producer: { inputs in inputs[0].flatMap(.merge) { _ in inputs.cold("--#") } }),
    MarbleCase(
      "flatMap(.merge) continues after the interruption of an inner", "a-b--|", expecting: "-x-x-|",
      signal: { inputs in inputs[0].flatMap(.merge) { _ in inputs.cold("-x!") } },
      producer: { inputs in inputs[0].flatMap(.merge) { _ in inputs.cold("-x!") } }),
    MarbleCase(
      "flatMap(.concat)", "ab----|", expecting: "a-Ab-B|", signal: { $0[0].flatMap(.concat, $0.pair) },
      producer: { $0[0].flatMap(.concat, $0.pair) }),
    MarbleCase(
      "flatMap(.concat) fails at the bound", "abc-|", expecting: "a-#",
      signal: { $0[0].flatMap(.concat, limit: fails, $0.pair) },
      producer: { $0[0].flatMap(.concat, limit: fails, $0.pair) }),
    MarbleCase(
      "flatMap(.concat) drops the oldest", "abc----|", expecting: "a-Ac-C-|",
      signal: { $0[0].flatMap(.concat, limit: Bound(limit: 1, overflow: .dropOldest), $0.pair) },
      producer: { $0[0].flatMap(.concat, limit: Bound(limit: 1, overflow: .dropOldest), $0.pair) }),
    MarbleCase(
      "flatMap(.concat) drops the newest", "abc----|", expecting: "a-Ab-B-|",
      signal: { $0[0].flatMap(.concat, limit: Bound(limit: 1, overflow: .dropNewest), $0.pair) },
      producer: { $0[0].flatMap(.concat, limit: Bound(limit: 1, overflow: .dropNewest), $0.pair) }),
    MarbleCase(
      "flatMap(.concurrent(limit: 2))", "abc---|", expecting: "abA(Bc)-C|",
      signal: { $0[0].flatMap(.concurrent(limit: 2), $0.pair) },
      producer: { $0[0].flatMap(.concurrent(limit: 2), $0.pair) }),
    MarbleCase(
      "flatMap(.latest)", "ab----|", expecting: "ab-B--|", signal: { $0[0].flatMap(.latest, $0.pair) },
      producer: { $0[0].flatMap(.latest, $0.pair) }),
    MarbleCase(
      "flatMap(.race)", "ab---|", expecting: "--b-b|",
      signal: { inputs in inputs[0].flatMap(.race) { inputs.cold($0 == "a" ? "---a|" : "-b-b|") } },
      producer: { inputs in inputs[0].flatMap(.race) { inputs.cold($0 == "a" ? "---a|" : "-b-b|") } }),
    MarbleCase(
      "flatMap(.throttle)", "ab--c--|", expecting: "a-A-c-C|", signal: { $0[0].flatMap(.throttle, $0.pair) },
      producer: { $0[0].flatMap(.throttle, $0.pair) }),
    MarbleCase(
      "flatten(.merge)", "ab----|", expecting: "abAB--|", signal: { $0[0].map($0.pair).flatten(.merge) },
      producer: { $0[0].map($0.pair).flatten(.merge) }),
    MarbleCase(
      "flatten of sequences", "a-b|", expecting: "(aA)-(bB)|", signal: { $0[0].map { [$0, upper($0)] }.flatten() },
      producer: { $0[0].map { [$0, upper($0)] }.flatten() }),
    MarbleCase(
      "expand", "1---|", expecting: "1234|",
      signal: { inputs in inputs[0].expand { $0 < "4" ? inputs.cold("-\(figure(digit($0) + 1))|") : .empty } },
      producer: { inputs in inputs[0].expand { $0 < "4" ? inputs.cold("-\(figure(digit($0) + 1))|") : .empty } }),
    MarbleCase(
      "expand at once goes by the order of the values", "1--|", expecting: "(1234567)--|",
      signal: { $0[0].expand { $0 < "4" ? even([figure(2 * digit($0)), figure(2 * digit($0) + 1)]) : .empty } },
      producer: { $0[0].expand { $0 < "4" ? even([figure(2 * digit($0)), figure(2 * digit($0) + 1)]) : .empty } }),
    MarbleCase(
      "expand fails at the bound", "1--|", expecting: "(1#)",
      signal: { $0[0].expand(limit: fails) { _ in even(["2", "3"]) } },
      producer: { $0[0].expand(limit: fails) { _ in even(["2", "3"]) } }),
  ]

  private static let groupCases: [MarbleCase] = [
    MarbleCase(
      "groupBy", "abA-|", expecting: "AB--|", signal: { $0[0].groupBy(upper).map(\.key) },
      producer: { $0[0].groupBy(upper).map(\.key) }),
    MarbleCase(
      "groupBy, flattened", "abA-|", expecting: "abA-|", signal: { $0[0].groupBy(upper).flatten(.merge) },
      producer: { $0[0].groupBy(upper).flatten(.merge) }),
    MarbleCase(
      "groupBy with a transform", "ab-|", expecting: "AB-|",
      signal: { $0[0].groupBy({ $0 }, transform: upper).flatten(.merge) },
      producer: { $0[0].groupBy({ $0 }, transform: upper).flatten(.merge) }),
    MarbleCase(
      "groupBy fails at the bound", "ab-|", expecting: "a#", signal: { $0[0].groupBy({ $0 }, limit: fails).map(\.key) },
      producer: { $0[0].groupBy({ $0 }, limit: fails).map(\.key) }),
    MarbleCase(
      "groupBy until idle", "a-a---a|", expecting: "a-----a|",
      signal: { $0[0].groupBy({ $0 }, idle: 3, on: $0.scheduler).map(\.key) },
      producer: { $0[0].groupBy({ $0 }, idle: 3, on: $0.scheduler).map(\.key) }),
  ]

  private static let choiceCases: [MarbleCase] = [
    MarbleCase(
      "switch", "x--y---|", "1-2-3--|", "---4-5-|", expecting: "1-24-5-|",
      signal: { Signal.switch($0[0], cases: ["x": $0[1], "y": $0[2]], default: .never) },
      producer: { SignalProducer.switch($0[0], cases: ["x": $0[1], "y": $0.cold("4-5|")], default: .never) }),
    MarbleCase(
      "switch without a case fails", "x--z--|", "1-2-3-|", expecting: "1-2#",
      signal: { Signal.switch($0[0], cases: ["x": $0[1]], unmatched: .fail(MarbleFailure())) },
      producer: { SignalProducer.switch($0[0], cases: ["x": $0[1]], unmatched: .fail(MarbleFailure())) }),
    MarbleCase(
      "switch without a case continues", "x--z--|", "1-2-3-|", expecting: "1-2-3-|",
      signal: { Signal.switch($0[0], cases: ["x": $0[1]], unmatched: .ignore) },
      producer: { SignalProducer.switch($0[0], cases: ["x": $0[1]], unmatched: .ignore) }),
    MarbleCase(
      "if", "t--f---|", "1-2-3--|", "---4-5-|", expecting: "1-24-5-|",
      signal: { Signal.if($0[0].map(isTrue), then: $0[1], else: $0[2]) },
      producer: { SignalProducer.if($0[0].map(isTrue), then: $0[1], else: $0.cold("4-5|")) }),
    MarbleCase(
      "race", "--a-|", "-b-c|", expecting: "-b-c|", signal: { .race($0.all) }, producer: { .race($0.all) }),
    MarbleCase(
      "race with an ending", "--a-|", "-|", expecting: "-|", signal: { .race($0[0], $0[1]) },
      producer: { .race($0[0], $0[1]) }),
    MarbleCase(
      "race(with:)", "-a-#", "--b|", expecting: "-a-#", signal: { $0[0].race(with: $0[1]) },
      producer: { $0[0].race(with: $0[1]) }),
  ]
}
