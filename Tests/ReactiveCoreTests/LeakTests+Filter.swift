import ReactiveCore

extension LeakTests {
  static let filterCases: [LeakCase] = [
    LeakCase(
      name: "filter", signal: { stream, _, held in stream.filter { $0 !== held } },
      producer: { stream, _, held in stream.filter { $0 !== held } }),
    LeakCase(
      name: "ignoreValues", signal: { stream, _, _ in stream.ignoreValues().promoteValue() },
      producer: { stream, _, _ in stream.ignoreValues().promoteValue() }),
    LeakCase(
      name: "skipRepeats", signal: { stream, _, held in stream.skipRepeats { $0 === held || $1 === held } },
      producer: { stream, _, held in stream.skipRepeats { $0 === held || $1 === held } }),
    LeakCase(
      name: "skipRepeats(by:)", signal: { stream, _, held in stream.skipRepeats(by: { $0 === held }) },
      producer: { stream, _, held in stream.skipRepeats(by: { $0 === held }) }),
    LeakCase(
      name: "uniqueValues",
      signal: { stream, _, held in stream.uniqueValues { ObjectIdentifier($0 === held ? held : $0) } },
      producer: { stream, _, held in stream.uniqueValues { ObjectIdentifier($0 === held ? held : $0) } }),
    LeakCase(
      name: "uniqueValues(limit:)",
      signal: { stream, _, _ in
        stream.uniqueValues({ ObjectIdentifier($0) }, limit: Bound(limit: 1, overflow: .dropOldest))
      },
      producer: { stream, _, _ in
        stream.uniqueValues({ ObjectIdentifier($0) }, limit: Bound(limit: 1, overflow: .dropOldest))
      }),
    LeakCase(
      name: "uniqueValues(idle:)",
      signal: { stream, scheduler, _ in stream.uniqueValues({ ObjectIdentifier($0) }, idle: 3, on: scheduler) },
      producer: { stream, scheduler, _ in stream.uniqueValues({ ObjectIdentifier($0) }, idle: 3, on: scheduler) }),
    LeakCase(
      name: "skip(first:), take(first:)", signal: { stream, _, _ in stream.skip(first: 1).take(first: 3) },
      producer: { stream, _, _ in stream.skip(first: 1).take(first: 3) }),
    LeakCase(
      name: "take(first:) that has ended", signal: { stream, _, _ in stream.merge(with: stream).take(first: 10) },
      producer: { stream, _, _ in stream.take(first: 10) }),
    LeakCase(
      name: "take(for:), skip(for:)",
      signal: { stream, scheduler, _ in stream.skip(for: 1, on: scheduler).take(for: 100, on: scheduler) },
      producer: { stream, scheduler, _ in stream.skip(for: 1, on: scheduler).take(for: 100, on: scheduler) }),
    LeakCase(
      name: "take(last:)", signal: { stream, _, _ in stream.take(last: 1) },
      producer: { stream, _, _ in stream.take(last: 1) }),
    LeakCase(
      name: "skip(last:)", signal: { stream, _, _ in stream.skip(last: 1) },
      producer: { stream, _, _ in stream.skip(last: 1) }),
    LeakCase(
      name: "take(while:), take(until:)",
      signal: { stream, _, held in stream.take(while: { $0 !== held }).take(until: { $0 !== held }) },
      producer: { stream, _, held in stream.take(while: { $0 !== held }).take(until: { $0 !== held }) }),
    LeakCase(
      name: "skip(while:)", signal: { stream, _, held in stream.skip(while: { $0 === held }) },
      producer: { stream, _, held in stream.skip(while: { $0 === held }) }),
    LeakCase(
      name: "take(until:) a trigger", signal: { stream, _, _ in stream.take(until: Signal<(), Never>.never) },
      producer: { stream, _, _ in stream.take(until: SignalProducer<(), Never>.never) }),
    LeakCase(
      name: "skip(until:)", signal: { stream, _, _ in stream.skip(until: stream.materialize().map(value: ())) },
      producer: { stream, _, _ in stream.skip(until: stream.materialize().map(value: ())) }),
    LeakCase(
      name: "take(untilReplacement:)", signal: { stream, _, _ in stream.take(untilReplacement: stream.skip(first: 1)) },
      producer: { stream, _, _ in stream.take(untilReplacement: stream.skip(first: 1)) }),
    LeakCase(
      name: "take(during:)", signal: { stream, _, _ in stream.take(during: everlasting) },
      producer: { stream, _, _ in stream.take(during: everlasting) }),
    LeakCase(
      name: "first(where:)", signal: { stream, _, held in stream.first { $0 === held } },
      producer: { stream, _, held in stream.first { $0 === held } }),
    LeakCase(
      name: "last(where:)", signal: { stream, _, held in stream.last { $0 !== held } },
      producer: { stream, _, held in stream.last { $0 !== held } }),
    LeakCase(
      name: "element(at:), firstIndex(where:)",
      signal: { stream, _, held in stream.element(at: 4).firstIndex { $0 === held }.map { _ in held } },
      producer: { stream, _, held in stream.element(at: 4).firstIndex { $0 === held }.map { _ in held } }),
    LeakCase(
      name: "single",
      signal: { stream, _, _ in stream.take(last: 1).single(ifEmpty: Failure(code: 2), ifMore: Failure(code: 3)) },
      producer: { stream, _, _ in stream.take(last: 1).single(ifEmpty: Failure(code: 2), ifMore: Failure(code: 3)) }),
    LeakCase(
      name: "any(where:), all(where:)",
      signal: { stream, _, held in stream.any { $0 === held }.all { $0 }.map { _ in held } },
      producer: { stream, _, held in stream.any { $0 === held }.all { $0 }.map { _ in held } }),
    LeakCase(
      name: "defaultIfEmpty, failIfEmpty",
      signal: { stream, _, held in stream.defaultIfEmpty(held).failIfEmpty(raising: Failure(code: 2)) },
      producer: { stream, _, held in stream.defaultIfEmpty(held).failIfEmpty(raising: Failure(code: 2)) }),
    LeakCase(
      name: "isEmpty, any", signal: { stream, _, held in stream.skip(first: 9).isEmpty().any().map { _ in held } },
      producer: { stream, _, held in stream.skip(first: 9).isEmpty().any().map { _ in held } }),
    LeakCase(
      name: "ignore, skipNil",
      signal: { stream, _, held in
        stream.map { $0 === held }.ignore(true).map { $0 ? nil : held }.skipNil()
      },
      producer: { stream, _, held in
        stream.map { $0 === held }.ignore(true).map { $0 ? nil : held }.skipNil()
      }),
  ]
}
