import ReactiveCore

extension LeakTests {
  static let combineCases: [LeakCase] = [
    LeakCase(
      name: "merge", signal: { stream, _, _ in .merge(stream, stream.skip(first: 5)) },
      producer: { stream, _, _ in .merge(stream, .empty) }),
    LeakCase(
      name: "combineLatest(with:)", signal: { stream, _, _ in stream.combineLatest(with: stream).map { $0.1 } },
      producer: { stream, _, held in stream.combineLatest(with: SignalProducer(value: held)).map { $0.0 } }),
    LeakCase(
      name: "combineLatest of three",
      signal: { stream, _, _ in Signal.combineLatest(stream, stream, stream).map { a, _, _ in a } },
      producer: { stream, _, held in
        SignalProducer.combineLatest(stream, SignalProducer([held, held, held]), SignalProducer([held, held, held])).map
        { a, _, _ in a }
      }),
    LeakCase(
      name: "combineLatest of five",
      signal: { stream, _, _ in Signal.combineLatest(stream, stream, stream, stream, stream).map { a, _, _, _, _ in a }
      },
      producer: { stream, _, held in
        SignalProducer.combineLatest(
          stream, SignalProducer([held]), SignalProducer([held]), SignalProducer([held]), SignalProducer([held])
        ).map { a, _, _, _, _ in a }
      }),
    LeakCase(
      name: "combineLatest of many", signal: { stream, _, _ in Signal.combineLatest([stream, stream]).map { $0[1] } },
      producer: { stream, _, held in SignalProducer.combineLatest([stream, SignalProducer(value: held)]).map { $0[0] } }
    ),
    LeakCase(
      name: "zip(with:)", signal: { stream, _, _ in stream.zip(with: stream.skip(first: 1)).map { $0.1 } },
      producer: { stream, _, held in stream.zip(with: SignalProducer([held, held, held])).map { $0.1 } }),
    LeakCase(
      name: "zip(with:), bounded",
      signal: { stream, _, _ in
        stream.zip(with: stream.skip(first: 2), limit: Bound(limit: 1, overflow: .dropOldest)).map { $0.1 }
      },
      producer: { stream, _, _ in
        stream.zip(with: stream.skip(first: 2), limit: Bound(limit: 1, overflow: .dropOldest)).map { $0.1 }
      }),
    LeakCase(
      name: "zip of three",
      signal: { stream, _, _ in Signal.zip(stream, stream, stream.skip(first: 1)).map { a, _, _ in a } },
      producer: { stream, _, held in
        SignalProducer.zip(stream, SignalProducer([held, held, held]), SignalProducer([held, held, held])).map {
          a, _, _ in a
        }
      }),
    LeakCase(
      name: "zip of five",
      signal: { stream, _, _ in
        Signal.zip(stream, stream, stream.skip(first: 1), stream, stream).map { a, _, _, _, _ in a }
      },
      producer: { stream, _, held in
        SignalProducer.zip(
          stream, SignalProducer([held, held, held]), SignalProducer([held, held, held]),
          SignalProducer([held, held, held]), SignalProducer([held, held, held])
        ).map { a, _, _, _, _ in a }
      }),
    LeakCase(
      name: "zip of many", signal: { stream, _, _ in Signal.zip([stream, stream.skip(first: 1)]).map { $0[1] } },
      producer: { stream, _, held in SignalProducer.zip([stream, SignalProducer([held, held, held])]).map { $0[1] } }),
    LeakCase(
      name: "withLatest(from:)",
      signal: { stream, _, _ in stream.withLatest(from: Signal<Held, Never>.never).map { $0.0 } },
      producer: { stream, _, held in stream.withLatest(from: SignalProducer(value: held)).map { $0.0 } }),
    LeakCase(
      name: "withLatest(from:) a producer",
      signal: { stream, _, held in stream.withLatest(from: SignalProducer(value: held)).map { $0.0 } },
      producer: { stream, _, held in stream.withLatest(from: SignalProducer(value: held)).map { $0.0 } }),
    LeakCase(
      name: "combineLast", signal: { stream, _, _ in Signal.combineLast([stream, stream]).map { $0[1] } },
      producer: { stream, _, held in
        SignalProducer.combineLast([stream, SignalProducer([held, held, held])]).map { $0[1] }
      }),
    LeakCase(
      name: "combineLast of three",
      signal: { stream, _, _ in Signal.combineLast(stream, stream, stream).map { last, _, _ in last } },
      producer: { stream, _, held in
        SignalProducer.combineLast(stream, SignalProducer(value: held), SignalProducer(value: held)).map { last, _, _ in
          last
        }
      }),
    LeakCase(
      name: "sequenceEqual",
      signal: { stream, _, held in
        stream.sequenceEqual(stream.skip(first: 1)) { $0 === held || $1 === $0 }.map { _ in held }
      },
      producer: { stream, _, held in
        stream.sequenceEqual(SignalProducer([held, held, held])) { $0 !== held || $1 === held }.map { _ in held }
      }),
    LeakCase(
      name: "lift, concat(value:), prefix(value:)", signal: { stream, _, _ in stream },
      producer: { stream, _, held in stream.lift { $0 }.prefix(value: held).concat(value: held) }),
    LeakCase(
      name: "merge(with:)", signal: { stream, _, _ in stream.merge(with: stream) },
      producer: { stream, _, held in stream.merge(with: SignalProducer(value: held)) }),
    LeakCase(
      name: "combineLast(with:)",
      signal: { stream, _, _ in stream.combineLast(with: stream.skip(first: 1)).map { $0.1 } },
      producer: { stream, _, held in stream.combineLast(with: SignalProducer(value: held)).map { $0.1 } }),
  ]
}
