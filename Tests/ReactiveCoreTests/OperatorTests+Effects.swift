import ReactiveCore
import ReactiveTesting

extension OperatorTests {
  static let effectsCases: [MarbleCase] = [
    MarbleCase(
      "on", "ab|", expecting: "ab|", signal: { $0[0].on(value: { _ in }) }, producer: { $0[0].on(value: { _ in }) }),
    MarbleCase(
      "logEvents", "ab#", expecting: "ab#", signal: { $0[0].logEvents(logger: { _, _, _, _, _ in }) },
      producer: { $0[0].logEvents(logger: { _, _, _, _, _ in }) }),
  ]
}
