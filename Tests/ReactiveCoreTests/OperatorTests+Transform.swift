import ReactiveCore
import ReactiveTesting

extension OperatorTests {
  static let transformCases: [MarbleCase] = [
    MarbleCase(
      "map", "ab-c|", expecting: "AB-C|", signal: { $0[0].map(upper) }, producer: { $0[0].map(upper) }),
    MarbleCase(
      "map(value:)", "ab-c|", expecting: "xx-x|", signal: { $0[0].map(value: "x") }, producer: { $0[0].map(value: "x") }
    ),
    MarbleCase(
      "map of a key path", "a1|", expecting: "tf|", signal: { $0[0].map(\.isLetter).map(truth) },
      producer: { $0[0].map(\.isLetter).map(truth) }),
    MarbleCase(
      "compactMap", "abab|", expecting: "A-A-|", signal: { $0[0].compactMap { $0 == "a" ? "A" : nil } },
      producer: { $0[0].compactMap { $0 == "a" ? "A" : nil } }),
    MarbleCase(
      "skipNil", "abab|", expecting: "a-a-|", signal: { $0[0].map { $0 == "a" ? $0 : nil }.skipNil() },
      producer: { $0[0].map { $0 == "a" ? $0 : nil }.skipNil() }),
    MarbleCase(
      "attemptMap", "12x4|", expecting: "12#",
      signal: { $0[0].attemptMap { $0.isNumber ? .success($0) : .failure(MarbleFailure()) } },
      producer: { $0[0].attemptMap { $0.isNumber ? .success($0) : .failure(MarbleFailure()) } }),
    MarbleCase(
      "attempt", "12x4|", expecting: "12#",
      signal: { $0[0].attempt { $0.isNumber ? .success(()) : .failure(MarbleFailure()) } },
      producer: { $0[0].attempt { $0.isNumber ? .success(()) : .failure(MarbleFailure()) } }),
    MarbleCase(
      "mapError", "a#", expecting: "a#",
      signal: { $0[0].mapError { _ in Failure(code: 1) }.mapError { _ in MarbleFailure() } },
      producer: { $0[0].mapError { _ in Failure(code: 1) }.mapError { _ in MarbleFailure() } }),
    MarbleCase(
      "lazyMap drops what was replaced", "a(bc)-d|", expecting: "AC-D|",
      signal: { $0[0].lazyMap(on: $0.scheduler, transform: upper) },
      producer: { $0[0].lazyMap(on: $0.scheduler, transform: upper) }),
    MarbleCase(
      "promoteError", "ab|", expecting: "ab|", signal: { $0[0].withoutFailure().promoteError(MarbleFailure.self) },
      producer: { $0[0].withoutFailure().promoteError(MarbleFailure.self) }),
    MarbleCase(
      "promoteError keeps an interruption", "ab!", expecting: "ab!", signal: { $0[0].withoutFailure().promoteError() },
      producer: { $0[0].withoutFailure().promoteError() }),
    MarbleCase(
      "promoteValue", "ab|", expecting: "--|", signal: { $0[0].ignoreValues().promoteValue(Character.self) },
      producer: { $0[0].ignoreValues().promoteValue(Character.self) }),
    MarbleCase(
      "cast", "ab|", expecting: "a#",
      signal: { $0[0].map { $0 == "b" ? 1 : $0 as Any }.cast(to: Character.self, raising: MarbleFailure()) },
      producer: { $0[0].map { $0 == "b" ? 1 : $0 as Any }.cast(to: Character.self, raising: MarbleFailure()) }),
    MarbleCase(
      "scan", "1-23|", expecting: "1-36|", signal: { $0[0].scan(0) { $0 + digit($1) }.map(figure) },
      producer: { $0[0].scan(0) { $0 + digit($1) }.map(figure) }),
    MarbleCase(
      "scan(into:)", "1-23|", expecting: "1-36|", signal: { $0[0].scan(into: 0) { $0 += digit($1) }.map(figure) },
      producer: { $0[0].scan(into: 0) { $0 += digit($1) }.map(figure) }),
    MarbleCase(
      "scan with the index", "aaa|", expecting: "013|",
      signal: { $0[0].scan(0, withIndex: { sum, _, index in sum + index }).map(figure) },
      producer: { $0[0].scan(0, withIndex: { sum, _, index in sum + index }).map(figure) }),
    MarbleCase(
      "scanMap", "1-23|", expecting: "0-13|", signal: { $0[0].scanMap(0) { ($0 + digit($1), figure($0)) } },
      producer: { $0[0].scanMap(0) { ($0 + digit($1), figure($0)) } }),
    MarbleCase(
      "scanMap(into:)", "1-23|", expecting: "0-13|",
      signal: {
        $0[0].scanMap(into: 0) { sum, value in
          defer { sum += digit(value) }
          return figure(sum)
        }
      },
      producer: {
        $0[0].scanMap(into: 0) { sum, value in
          defer { sum += digit(value) }
          return figure(sum)
        }
      }),
    MarbleCase(
      "reduce", "1-23|", expecting: "----(6|)", signal: { $0[0].reduce(0) { $0 + digit($1) }.map(figure) },
      producer: { $0[0].reduce(0) { $0 + digit($1) }.map(figure) }),
    MarbleCase(
      "reduce of nothing", "--|", expecting: "--(0|)", signal: { $0[0].reduce(0) { $0 + digit($1) }.map(figure) },
      producer: { $0[0].reduce(0) { $0 + digit($1) }.map(figure) }),
    MarbleCase(
      "reduce(into:)", "123|", expecting: "---(6|)", signal: { $0[0].reduce(into: 0) { $0 += digit($1) }.map(figure) },
      producer: { $0[0].reduce(into: 0) { $0 += digit($1) }.map(figure) }),
    MarbleCase(
      "reduce with the index", "aaa|", expecting: "---(3|)",
      signal: { $0[0].reduce(0, withIndex: { sum, _, index in sum + index }).map(figure) },
      producer: { $0[0].reduce(0, withIndex: { sum, _, index in sum + index }).map(figure) }),
    MarbleCase(
      "reduce(startingWith:) what is made for each run", "12|", expecting: "--(4|)",
      signal: { $0[0].reduce(startingWith: { 1 }) { $0 + digit($1) }.map(figure) },
      producer: { $0[0].reduce(startingWith: { 1 }) { $0 + digit($1) }.map(figure) }),
    MarbleCase(
      "count", "ab-|", expecting: "---(2|)", signal: { $0[0].count().map(figure) },
      producer: { $0[0].count().map(figure) }),
    MarbleCase(
      "count of nothing", "--|", expecting: "--(0|)", signal: { $0[0].count().map(figure) },
      producer: { $0[0].count().map(figure) }),
    MarbleCase(
      "min", "213|", expecting: "---(1|)", signal: { $0[0].min() }, producer: { $0[0].min() }),
    MarbleCase(
      "max", "213|", expecting: "---(3|)", signal: { $0[0].max() }, producer: { $0[0].max() }),
    MarbleCase(
      "max of nothing", "--|", expecting: "--|", signal: { $0[0].max() }, producer: { $0[0].max() }),
    MarbleCase(
      "min(by:)", "213|", expecting: "---(3|)", signal: { $0[0].min { $0 > $1 } }, producer: { $0[0].min { $0 > $1 } }),
    MarbleCase(
      "max(by:) keeps the first", "aA|", expecting: "--(a|)",
      signal: { $0[0].max { $0.lowercased() < $1.lowercased() } },
      producer: { $0[0].max { $0.lowercased() < $1.lowercased() } }),
    MarbleCase(
      "sum", "123|", expecting: "---(6|)", signal: { $0[0].map(digit).sum().map(figure) },
      producer: { $0[0].map(digit).sum().map(figure) }),
    MarbleCase(
      "average", "123|", expecting: "---(2|)", signal: { $0[0].map(digit).average().map { figure(Int($0)) } },
      producer: { $0[0].map(digit).average().map { figure(Int($0)) } }),
    MarbleCase(
      "average of nothing", "--|", expecting: "--|", signal: { $0[0].map(digit).average().map { figure(Int($0)) } },
      producer: { $0[0].map(digit).average().map { figure(Int($0)) } }),
    MarbleCase(
      "combinePrevious from a value", "ab-c|", expecting: "Zb-c|", signal: { $0[0].combinePrevious("z").map(join) },
      producer: { $0[0].combinePrevious("z").map(join) }),
    MarbleCase(
      "combinePrevious", "ab-c|", expecting: "-b-c|", signal: { $0[0].combinePrevious().map(join) },
      producer: { $0[0].combinePrevious().map(join) }),
    MarbleCase(
      "enumerate", "ab-c|", expecting: "01-2|", signal: { $0[0].enumerate().map { figure($0.index) } },
      producer: { $0[0].enumerate().map { figure($0.index) } }),
    MarbleCase(
      "timestamp", "a-b|", expecting: "0-2|",
      signal: { $0[0].timestamp(on: $0.scheduler).map { figure(Int($0.at.nanoseconds / 1_000_000_000)) } },
      producer: { $0[0].timestamp(on: $0.scheduler).map { figure(Int($0.at.nanoseconds / 1_000_000_000)) } }),
    MarbleCase(
      "timeInterval", "-a--b|", expecting: "-1--3|",
      signal: { $0[0].timeInterval(on: $0.scheduler).map { figure(Int($0.after.components.seconds)) } },
      producer: { $0[0].timeInterval(on: $0.scheduler).map { figure(Int($0.after.components.seconds)) } }),
    MarbleCase(
      "materialize", "a-#", expecting: "v-(f|)",
      signal: { $0[0].materialize().map { $0.isTerminating ? "f" : "v" }.promoteError() },
      producer: { $0[0].materialize().map { $0.isTerminating ? "f" : "v" }.promoteError() }),
    MarbleCase(
      "materialize an interruption", "a-!", expecting: "v-(f!)",
      signal: { $0[0].materialize().map { $0.isTerminating ? "f" : "v" }.promoteError() },
      producer: { $0[0].materialize().map { $0.isTerminating ? "f" : "v" }.promoteError() }),
    MarbleCase(
      "materializeResults", "a-#", expecting: "a-(f|)",
      signal: { $0[0].materializeResults().map { (try? $0.get()) ?? "f" }.promoteError() },
      producer: { $0[0].materializeResults().map { (try? $0.get()) ?? "f" }.promoteError() }),
    MarbleCase(
      "materializeResults completes", "a-|", expecting: "a-|",
      signal: { $0[0].materializeResults().map { (try? $0.get()) ?? "f" }.promoteError() },
      producer: { $0[0].materializeResults().map { (try? $0.get()) ?? "f" }.promoteError() }),
    MarbleCase(
      "dematerialize", "a-b#", expecting: "a-b#", signal: { $0[0].materialize().dematerialize() },
      producer: { $0[0].materialize().dematerialize() }),
    MarbleCase(
      "dematerializeResults", "a-b#", expecting: "a-b#", signal: { $0[0].materializeResults().dematerializeResults() },
      producer: { $0[0].materializeResults().dematerializeResults() }),
    MarbleCase(
      "negate", "tf|", expecting: "ft|", signal: { $0[0].map(isTrue).negate().map(truth) },
      producer: { $0[0].map(isTrue).negate().map(truth) }),
    MarbleCase(
      "and", "t--f-|", "-tf--|", expecting: "-tff-|", signal: { $0[0].map(isTrue).and($0[1].map(isTrue)).map(truth) },
      producer: { $0[0].map(isTrue).and($0[1].map(isTrue)).map(truth) }),
    MarbleCase(
      "or", "t--f-|", "-tf--|", expecting: "-ttf-|", signal: { $0[0].map(isTrue).or($0[1].map(isTrue)).map(truth) },
      producer: { $0[0].map(isTrue).or($0[1].map(isTrue)).map(truth) }),
    MarbleCase(
      "all of booleans", "t--f-|", "-tf--|", expecting: "-tff-|",
      signal: { Signal.all($0.all.map { $0.map(isTrue) }).map(truth) },
      producer: { SignalProducer.all($0.all.map { $0.map(isTrue) }).map(truth) }),
    MarbleCase(
      "any of booleans", "t--f-|", "-tf--|", expecting: "-ttf-|",
      signal: { Signal.any($0[0].map(isTrue), $0[1].map(isTrue)).map(truth) },
      producer: { SignalProducer.any($0[0].map(isTrue), $0[1].map(isTrue)).map(truth) }),
    MarbleCase(
      "reduceEach", "ab|", expecting: "AB|", signal: { $0[0].map { ($0, true) }.reduceEach { $1 ? upper($0) : $0 } },
      producer: { $0[0].map { ($0, true) }.reduceEach { $1 ? upper($0) : $0 } }),
    MarbleCase(
      "reduceApply", "ab|", expecting: "AB|", signal: { $0[0].map { (upper, $0) }.reduceApply() },
      producer: { $0[0].map { (upper, $0) }.reduceApply() }),
  ]
}
