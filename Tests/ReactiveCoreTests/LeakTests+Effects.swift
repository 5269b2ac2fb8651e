import ReactiveCore

extension LeakTests {
  static let effectsCases: [LeakCase] = [
    LeakCase(
      name: "on", signal: { signal, _, held in signal.on(disposed: { withExtendedLifetime(held) {} }) },
      producer: { producer, _, held in producer.on(disposed: { withExtendedLifetime(held) {} }) })
  ]
}
