import ReactiveCore

/// Returns an inner stream that lasts for a while.
func lasting(_ value: Held, _ held: Held, _ scheduler: TestScheduler) -> SignalProducer<Held, Failure> {
  SignalProducer([value, held]).delay(2, on: scheduler)
}

extension LeakTests {
  static let nestedCases: [LeakCase] =
    strategies.map { name, strategy in
      LeakCase(
        name: "flatMap(\(name))",
        signal: { stream, scheduler, held in stream.flatMap(strategy) { lasting($0, held, scheduler) } },
        producer: { stream, scheduler, held in stream.flatMap(strategy) { lasting($0, held, scheduler) } })
    } + flattenCases + choiceCases

  private static let strategies: [(String, FlattenStrategy)] = [
    (".merge", .merge), (".concat", .concat), (".concurrent(limit: 1)", .concurrent(limit: 1)), (".latest", .latest),
    (".race", .race), (".throttle", .throttle),
  ]

  private static let flattenCases: [LeakCase] = [
    LeakCase(
      name: "flatten",
      signal: { stream, scheduler, held in stream.map { lasting($0, held, scheduler) }.flatten(.merge) },
      producer: { stream, scheduler, held in stream.map { lasting($0, held, scheduler) }.flatten(.merge) }),
    LeakCase(
      name: "flatten of sequences", signal: { stream, _, held in stream.map { [$0, held] }.flatten() },
      producer: { stream, _, held in stream.map { [$0, held] }.flatten() }),
    LeakCase(
      name: "expand",
      signal: { stream, scheduler, held in
        stream.expand { $0 === held ? .empty : lasting(held, held, scheduler) }
      },
      producer: { stream, scheduler, held in
        stream.expand { $0 === held ? .empty : lasting(held, held, scheduler) }
      }),
    LeakCase(
      name: "groupBy",
      signal: { stream, _, held in stream.groupBy { $0 === held }.flatten(.merge) },
      producer: { stream, _, held in stream.groupBy { $0 === held }.flatten(.merge) }),
    LeakCase(
      name: "groupBy until idle",
      signal: { stream, scheduler, held in stream.groupBy({ $0 === held }, idle: 3, on: scheduler).flatten(.merge) },
      producer: { stream, scheduler, held in stream.groupBy({ $0 === held }, idle: 3, on: scheduler).flatten(.merge) }),
  ]

  private static let choiceCases: [LeakCase] = [
    LeakCase(
      name: "switch",
      signal: { stream, _, held in .switch(stream.map { $0 === held }, cases: [true: stream], default: stream) },
      producer: { stream, scheduler, held in
        .switch(stream.map { $0 === held }, cases: [true: .never], default: lasting(held, held, scheduler))
      }),
    LeakCase(
      name: "if", signal: { stream, _, held in .if(stream.map { $0 === held }, then: .never, else: stream) },
      producer: { stream, scheduler, held in
        .if(stream.map { $0 === held }, then: .never, else: lasting(held, held, scheduler))
      }),
    LeakCase(
      name: "race", signal: { stream, _, _ in .race([stream, stream.map { $0 }]) },
      producer: { stream, scheduler, held in
        .race([.never, stream, lasting(held, held, scheduler).delay(9, on: scheduler)])
      }),
    LeakCase(
      name: "race(with:)", signal: { stream, _, held in stream.skip(first: 1).race(with: stream.map(value: held)) },
      producer: { stream, _, _ in stream.race(with: .never) }),
  ]
}
