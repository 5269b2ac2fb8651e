import ReactiveCore

extension LeakTests {
  static let effectsCases: [LeakCase] = [
    LeakCase(
      name: "on", signal: { stream, _, held in stream.on(disposed: { withExtendedLifetime(held) {} }) },
      producer: { stream, _, held in stream.on(disposed: { withExtendedLifetime(held) {} }) }),
    LeakCase(
      name: "logEvents",
      signal: { stream, _, held in stream.logEvents(logger: { _, _, _, _, _ in withExtendedLifetime(held) {} }) },
      producer: { stream, _, held in stream.logEvents(logger: { _, _, _, _, _ in withExtendedLifetime(held) {} }) }),
  ]
}
