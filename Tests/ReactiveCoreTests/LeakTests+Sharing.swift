import ReactiveCore

extension LeakTests {
  static let sharingCases: [LeakCase] = [
    LeakCase(
      name: "observe(on:)", signal: { stream, scheduler, _ in stream.observe(on: scheduler) },
      producer: { stream, scheduler, _ in stream.observe(on: scheduler) }),
    LeakCase(
      name: "replayLazily", signal: { stream, _, _ in stream },
      producer: { stream, _, _ in stream.replayLazily(upTo: 5) }),
  ]
}
