import ReactiveCore
import ReactiveTesting

extension OperatorTests {
  static let sharingCases: [MarbleCase] = [
    MarbleCase(
      "observe(on:)", "a(bc)-#", expecting: "a(bc)-#", signal: { $0[0].observe(on: $0.scheduler) },
      producer: { $0[0].observe(on: $0.scheduler) })
  ]
}
