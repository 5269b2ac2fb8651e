import ReactiveCore

extension LeakTests {
  static let sharingCases: [LeakCase] = [
    LeakCase(
      name: "observe(on:)", signal: { signal, scheduler, _ in signal.observe(on: scheduler) },
      producer: { producer, scheduler, _ in producer.observe(on: scheduler) }),
    LeakCase(
      name: "replayLazily", signal: { signal, _, _ in signal },
      producer: { producer, _, _ in producer.replayLazily(upTo: 5) }),
  ]
}
