import ReactiveCore

extension LeakTests {
  static let combineCases: [LeakCase] = [
    LeakCase(
      name: "merge", signal: { signal, _, _ in .merge(signal, signal.skip(first: 5)) },
      producer: { producer, _, _ in .merge(producer, .empty) }),
    LeakCase(
      name: "combineLatest", signal: { signal, _, _ in signal.combineLatest(with: signal).map { $0.1 } },
      producer: { producer, _, held in producer.combineLatest(with: SignalProducer(value: held)).map { $0.0 } }),
    LeakCase(
      name: "combineLatest of many", signal: { signal, _, _ in Signal.combineLatest([signal, signal]).map { $0[1] } },
      producer: { producer, _, held in
        SignalProducer.combineLatest([producer, SignalProducer(value: held)]).map { $0[0] }
      }),
    LeakCase(
      name: "withLatest",
      signal: { signal, _, _ in signal.withLatest(from: Signal<Held, Never>.never).map { $0.0 } },
      producer: { producer, _, held in producer.withLatest(from: SignalProducer(value: held)).map { $0.0 } }),
    LeakCase(
      name: "lift, concat, prefix", signal: { signal, _, _ in signal },
      producer: { producer, _, held in
        producer.lift { $0 }.prefix(value: held).concat(value: held)
      }),
  ]
}
