import ReactiveCore

extension LeakTests {
  static let transformCases: [LeakCase] = [
    LeakCase(
      name: "map", signal: { signal, _, held in signal.map { _ in held } },
      producer: { producer, _, held in producer.map { _ in held } }),
    LeakCase(
      name: "compactMap", signal: { signal, _, held in signal.compactMap { _ in held } },
      producer: { producer, _, held in producer.compactMap { _ in held } }),
    LeakCase(
      name: "scan", signal: { signal, _, held in signal.scan(held) { $1 } },
      producer: { producer, _, held in producer.scan(held) { $1 } }),
    LeakCase(
      name: "scanMap",
      signal: { signal, _, held in
        signal.scanMap(into: held) {
          $0 = $1; return held
        }
      },
      producer: { producer, _, held in
        producer.scanMap(into: held) {
          $0 = $1; return held
        }
      }),
    LeakCase(
      name: "materialize", signal: { signal, _, held in signal.materialize().map { $0.value ?? held }.promoted() },
      producer: { producer, _, held in
        producer.materialize().map { $0.value ?? held }.lift { $0.promoted() }
      }),
  ]
}
