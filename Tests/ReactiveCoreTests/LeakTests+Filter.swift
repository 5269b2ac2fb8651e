import ReactiveCore

extension LeakTests {
  static let filterCases: [LeakCase] = [
    LeakCase(
      name: "filter", signal: { signal, _, held in signal.filter { $0 !== held } },
      producer: { producer, _, held in producer.filter { $0 !== held } }),
    LeakCase(
      name: "skipRepeats", signal: { signal, _, held in signal.skipRepeats { $0 === held || $1 === held } },
      producer: { producer, _, held in producer.skipRepeats { $0 === held || $1 === held } }),
    LeakCase(
      name: "skip, take", signal: { signal, _, _ in signal.skip(first: 1).take(first: 3) },
      producer: { producer, _, _ in producer.skip(first: 1).take(first: 3) }),
    LeakCase(
      name: "take(first:) that has ended", signal: { signal, _, _ in signal.merge(with: signal).take(first: 10) },
      producer: { producer, _, _ in producer.take(first: 10) }),
    LeakCase(
      name: "take(until:)", signal: { signal, _, _ in signal.take(until: .never) },
      producer: { producer, _, _ in producer.take(until: .never) }),
  ]
}
