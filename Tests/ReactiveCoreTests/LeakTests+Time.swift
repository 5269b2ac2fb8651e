import ReactiveCore

extension LeakTests {
  static let timeCases: [LeakCase] = [
    LeakCase(
      name: "sample(on:)", signal: { stream, _, _ in stream.sample(on: stream.materialize().map(value: ())) },
      producer: { stream, _, _ in stream.sample(on: SignalProducer<(), Never>.empty) }),
    LeakCase(
      name: "sample(with:) of new values",
      signal: { stream, _, _ in stream.sample(with: stream.materialize(), repeating: false).map { $0.0 } },
      producer: { stream, _, held in
        stream.sample(with: SignalProducer<Held, Never>([held]), repeating: false).map { $0.0 }
      }),
    LeakCase(
      name: "debounce", signal: { stream, scheduler, _ in stream.debounce(100, on: scheduler) },
      producer: { stream, scheduler, _ in stream.debounce(100, on: scheduler) }),
    LeakCase(
      name: "debounce that waits",
      signal: { stream, scheduler, _ in stream.debounce(5, on: scheduler, discardWhenCompleted: false) },
      producer: { stream, scheduler, _ in stream.debounce(5, on: scheduler, discardWhenCompleted: false) }),
    LeakCase(
      name: "throttle", signal: { stream, scheduler, _ in stream.throttle(100, on: scheduler) },
      producer: { stream, scheduler, _ in stream.throttle(100, on: scheduler) }),
    LeakCase(
      name: "throttle(while:)",
      signal: { stream, scheduler, held in
        stream.throttle(while: stream.materialize().map { $0.value !== held }, on: scheduler)
      },
      producer: { stream, scheduler, held in
        stream.throttle(while: stream.materialize().map { $0.value !== held }, on: scheduler)
      }),
    LeakCase(
      name: "audit", signal: { stream, scheduler, _ in stream.audit(100, on: scheduler) },
      producer: { stream, scheduler, _ in stream.audit(100, on: scheduler) }),
    LeakCase(
      name: "delay", signal: { stream, scheduler, _ in stream.delay(5, on: scheduler) },
      producer: { stream, scheduler, _ in stream.delay(5, on: scheduler) }),
    LeakCase(
      name: "timeout(after:)",
      signal: { stream, scheduler, _ in stream.timeout(after: 100, raising: Failure(code: 2), on: scheduler) },
      producer: { stream, scheduler, _ in stream.timeout(after: 100, raising: Failure(code: 2), on: scheduler) }),
    LeakCase(
      name: "timeout(gap:)",
      signal: { stream, scheduler, _ in stream.timeout(gap: 100, raising: Failure(code: 2), on: scheduler) },
      producer: { stream, scheduler, _ in stream.timeout(gap: 100, raising: Failure(code: 2), on: scheduler) }),
    LeakCase(
      name: "collect", signal: { stream, _, held in stream.collect().map { $0.first ?? held } },
      producer: { stream, _, held in stream.collect().map { $0.first ?? held } }),
    LeakCase(
      name: "collect until it fits",
      signal: { stream, _, held in stream.collect { $0.last === held }.map { $0.first ?? held } },
      producer: { stream, _, held in stream.collect { $0.last === held }.map { $0.first ?? held } }),
    LeakCase(
      name: "collect(count:every:)", signal: { stream, _, _ in stream.collect(count: 3, every: 1).map { $0[0] } },
      producer: { stream, _, _ in stream.collect(count: 3, every: 1).map { $0[0] } }),
    LeakCase(
      name: "collect(every:)",
      signal: { stream, scheduler, held in stream.collect(every: .seconds(20), on: scheduler).map { $0.first ?? held }
      },
      producer: { stream, scheduler, held in stream.collect(every: .seconds(20), on: scheduler).map { $0.first ?? held }
      }),
    LeakCase(
      name: "collect(on:)",
      signal: { stream, _, held in
        stream.collect(on: stream.skip(first: 1).materialize().map(value: ())).map { $0.first ?? held }
      },
      producer: { stream, _, held in stream.collect(on: SignalProducer<(), Never>(value: ())).map { $0.first ?? held } }
    ),
    LeakCase(
      name: "buffer", signal: { stream, scheduler, _ in stream.buffer(100, count: 3, on: scheduler).map { $0[0] } },
      producer: { stream, scheduler, _ in stream.buffer(100, count: 3, on: scheduler).map { $0[0] } }),
    LeakCase(
      name: "window(count:)", signal: { stream, _, _ in stream.window(count: 3).map { $0[0] } },
      producer: { stream, _, _ in stream.window(count: 3).map { $0[0] } }),
    LeakCase(
      name: "window of a span of time",
      signal: { stream, scheduler, _ in stream.window(3, on: scheduler).map { $0[0] } },
      producer: { stream, scheduler, _ in stream.window(3, on: scheduler).map { $0[0] } }),
    LeakCase(
      name: "sample(every:)", signal: { stream, scheduler, _ in stream.sample(every: 3, on: scheduler) },
      producer: { stream, scheduler, _ in stream.sample(every: 3, on: scheduler) }),
    LeakCase(
      name: "delay(when:)",
      signal: { stream, scheduler, held in stream.delay { lasting($0, held, scheduler) } },
      producer: { stream, scheduler, held in stream.delay { lasting($0, held, scheduler) } }),
    LeakCase(
      name: "timeout(gap:) with a fallback",
      signal: { stream, scheduler, held in
        stream.timeout(after: 1, fallback: lasting(held, held, scheduler), on: scheduler)
      },
      producer: { stream, scheduler, held in
        stream.timeout(gap: 1, fallback: lasting(held, held, scheduler), on: scheduler)
      }),
    LeakCase(
      name: "timeout(first:) with a fallback",
      signal: { stream, scheduler, held in
        stream.skip(first: 9).timeout(first: 1, fallback: lasting(held, held, scheduler), on: scheduler)
      },
      producer: { stream, scheduler, held in
        stream.skip(first: 9).timeout(first: 1, fallback: lasting(held, held, scheduler), on: scheduler)
      }),
    LeakCase(
      name: "timeout(first:)",
      signal: { stream, scheduler, _ in
        stream.skip(first: 9).timeout(first: 100, raising: Failure(code: 2), on: scheduler)
      },
      producer: { stream, scheduler, _ in
        stream.skip(first: 9).timeout(first: 100, raising: Failure(code: 2), on: scheduler)
      }),
    LeakCase(
      name: "collect(limit:)",
      signal: { stream, _, _ in stream.collect(limit: Bound(limit: 1, overflow: .dropOldest)).map { $0[0] } },
      producer: { stream, _, _ in stream.collect(limit: Bound(limit: 1, overflow: .dropOldest)).map { $0[0] } }),
    LeakCase(
      name: "collect(count:)", signal: { stream, _, held in stream.collect(count: 3).map { $0.first ?? held } },
      producer: { stream, _, held in stream.collect(count: 3).map { $0.first ?? held } }),
  ]
}
