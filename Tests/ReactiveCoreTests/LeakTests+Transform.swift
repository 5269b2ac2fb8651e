import ReactiveCore

extension LeakTests {
  static let transformCases: [LeakCase] = [
    LeakCase(
      name: "map", signal: { stream, _, held in stream.map { _ in held } },
      producer: { stream, _, held in stream.map { _ in held } }),
    LeakCase(
      name: "map(value:)", signal: { stream, _, held in stream.map(value: held) },
      producer: { stream, _, held in stream.map(value: held) }),
    LeakCase(
      name: "compactMap", signal: { stream, _, held in stream.compactMap { _ in held } },
      producer: { stream, _, held in stream.compactMap { _ in held } }),
    LeakCase(
      name: "attemptMap, attempt",
      signal: { stream, _, held in
        stream.attemptMap { _ in .success(held) }.attempt { $0 === held ? .success(()) : .failure(Failure(code: 2)) }
      },
      producer: { stream, _, held in
        stream.attemptMap { _ in .success(held) }.attempt { $0 === held ? .success(()) : .failure(Failure(code: 2)) }
      }),
    LeakCase(
      name: "mapError, promoteError",
      signal: { stream, _, held in
        stream.materialize().map { $0.value ?? held }.promoteError(Failure.self).mapError { error in
          withExtendedLifetime(held) { error }
        }
      },
      producer: { stream, _, held in
        stream.materialize().map { $0.value ?? held }.promoteError(Failure.self).mapError { error in
          withExtendedLifetime(held) { error }
        }
      }),
    LeakCase(
      name: "lazyMap", signal: { stream, scheduler, held in stream.lazyMap(on: scheduler) { $0 === held ? $0 : held } },
      producer: { stream, scheduler, held in stream.lazyMap(on: scheduler) { $0 === held ? $0 : held } }),
    LeakCase(
      name: "cast", signal: { stream, _, _ in stream.cast(to: Held.self, raising: Failure(code: 2)) },
      producer: { stream, _, _ in stream.cast(to: Held.self, raising: Failure(code: 2)) }),
    LeakCase(
      name: "scan", signal: { stream, _, held in stream.scan(held) { $1 } },
      producer: { stream, _, held in stream.scan(held) { $1 } }),
    LeakCase(
      name: "scan with the index",
      signal: { stream, _, held in stream.scan(held, withIndex: { _, value, _ in value }) },
      producer: { stream, _, held in stream.scan(held, withIndex: { _, value, _ in value }) }),
    LeakCase(
      name: "scanMap(into:)",
      signal: { stream, _, held in
        stream.scanMap(into: held) {
          $0 = $1; return held
        }
      },
      producer: { stream, _, held in
        stream.scanMap(into: held) {
          $0 = $1; return held
        }
      }),
    LeakCase(
      name: "reduce", signal: { stream, _, held in stream.reduce(held) { $1 } },
      producer: { stream, _, held in stream.reduce(held) { $1 } }),
    LeakCase(
      name: "reduce(startingWith:)", signal: { stream, _, held in stream.reduce(startingWith: { held }) { $1 } },
      producer: { stream, _, held in stream.reduce(startingWith: { held }) { $1 } }),
    LeakCase(
      name: "count", signal: { stream, _, held in stream.count().map { _ in held } },
      producer: { stream, _, held in stream.count().map { _ in held } }),
    LeakCase(
      name: "min(by:), max(by:)",
      signal: { stream, _, held in stream.min { _, _ in withExtendedLifetime(held) { false } }.max { _, _ in false } },
      producer: { stream, _, held in stream.min { _, _ in withExtendedLifetime(held) { false } }.max { _, _ in false } }
    ),
    LeakCase(
      name: "combinePrevious", signal: { stream, _, held in stream.combinePrevious(held).map { $0.1 } },
      producer: { stream, _, held in stream.combinePrevious(held).map { $0.1 } }),
    LeakCase(
      name: "enumerate", signal: { stream, _, _ in stream.enumerate().map { $0.value } },
      producer: { stream, _, _ in stream.enumerate().map { $0.value } }),
    LeakCase(
      name: "timestamp", signal: { stream, scheduler, _ in stream.timestamp(on: scheduler).map { $0.value } },
      producer: { stream, scheduler, _ in stream.timestamp(on: scheduler).map { $0.value } }),
    LeakCase(
      name: "timeInterval", signal: { stream, scheduler, _ in stream.timeInterval(on: scheduler).map { $0.value } },
      producer: { stream, scheduler, _ in stream.timeInterval(on: scheduler).map { $0.value } }),
    LeakCase(
      name: "materialize", signal: { stream, _, held in stream.materialize().map { $0.value ?? held }.promoteError() },
      producer: { stream, _, held in stream.materialize().map { $0.value ?? held }.promoteError() }),
    LeakCase(
      name: "materializeResults",
      signal: { stream, _, held in stream.materializeResults().map { (try? $0.get()) ?? held }.promoteError() },
      producer: { stream, _, held in stream.materializeResults().map { (try? $0.get()) ?? held }.promoteError() }),
    LeakCase(
      name: "dematerialize", signal: { stream, _, _ in stream.materialize().dematerialize() },
      producer: { stream, _, _ in stream.materialize().dematerialize() }),
    LeakCase(
      name: "dematerializeResults", signal: { stream, _, _ in stream.materializeResults().dematerializeResults() },
      producer: { stream, _, _ in stream.materializeResults().dematerializeResults() }),
    LeakCase(
      name: "and, or, negate",
      signal: { stream, _, held in
        stream.map { $0 === held }.negate().and(Signal.any(stream.map { $0 === held }, stream.map { _ in true })).map {
          _ in held
        }
      },
      producer: { stream, _, held in
        stream.map { $0 === held }.negate().and(
          SignalProducer.any(SignalProducer(value: true), SignalProducer(value: false))
        ).map { _ in held }
      }),
    LeakCase(
      name: "reduceEach", signal: { stream, _, held in stream.map { ($0, held) }.reduceEach { $1 === held ? $0 : $1 } },
      producer: { stream, _, held in stream.map { ($0, held) }.reduceEach { $1 === held ? $0 : $1 } }),
    LeakCase(
      name: "reduceApply",
      signal: { stream, _, held in stream.map { value in ({ (_: Held) in value }, held) }.reduceApply() },
      producer: { stream, _, held in stream.map { value in ({ (_: Held) in value }, held) }.reduceApply() }),
    LeakCase(
      name: "min, max", signal: { stream, _, held in stream.map { _ in 1 }.min().max().map { _ in held } },
      producer: { stream, _, held in stream.map { _ in 1 }.min().max().map { _ in held } }),
    LeakCase(
      name: "sum, average", signal: { stream, _, held in stream.map { _ in 1 }.sum().average().map { _ in held } },
      producer: { stream, _, held in stream.map { _ in 1 }.sum().average().map { _ in held } }),
    LeakCase(
      name: "scan(into:), reduce(into:)",
      signal: { stream, _, held in stream.scan(into: held) { $0 = $1 }.reduce(into: held) { $0 = $1 } },
      producer: { stream, _, held in stream.scan(into: held) { $0 = $1 }.reduce(into: held) { $0 = $1 } }),
    LeakCase(
      name: "scanMap of a state that is given back", signal: { stream, _, held in stream.scanMap(held) { ($1, $0) } },
      producer: { stream, _, held in stream.scanMap(held) { ($1, $0) } }),
    LeakCase(
      name: "all, any of booleans",
      signal: { stream, _, held in
        Signal.all([stream.map { $0 === held }, .any([stream.map { $0 !== held }])]).map { _ in held }
      },
      producer: { stream, _, held in
        SignalProducer.all([stream.map { $0 === held }, .any([SignalProducer(value: true)])]).map { _ in held }
      }),
    LeakCase(
      name: "promoteValue",
      signal: { stream, _, held in stream.ignoreValues().promoteValue(Held.self).defaultIfEmpty(held) },
      producer: { stream, _, held in stream.ignoreValues().promoteValue(Held.self).defaultIfEmpty(held) }),
  ]
}
