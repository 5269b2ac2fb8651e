import ReactiveCore

extension LeakTests {
  static let timeCases: [LeakCase] = [
    LeakCase(
      name: "sample", signal: { signal, _, _ in signal.sample(on: signal.materialize().map(value: ())) },
      producer: { producer, _, _ in producer.sample(on: SignalProducer<(), Never>.empty) }),
    LeakCase(
      name: "window", signal: { signal, _, _ in signal.window(count: 3).map { $0[0] } },
      producer: { producer, _, _ in producer.window(count: 3).map { $0[0] } }),
    LeakCase(
      name: "window of time", signal: { signal, scheduler, _ in signal.window(3, on: scheduler).map { $0[0] } },
      producer: { producer, scheduler, _ in producer.window(3, on: scheduler).map { $0[0] } }),
    LeakCase(
      name: "debounce", signal: { signal, scheduler, _ in signal.debounce(100, on: scheduler) },
      producer: { producer, scheduler, _ in producer.debounce(100, on: scheduler) }),
    LeakCase(
      name: "throttle", signal: { signal, scheduler, _ in signal.throttle(100, on: scheduler) },
      producer: { producer, scheduler, _ in producer.throttle(100, on: scheduler) }),
    LeakCase(
      name: "delay", signal: { signal, scheduler, _ in signal.delay(5, on: scheduler) },
      producer: { producer, scheduler, _ in producer.delay(5, on: scheduler) }),
  ]
}
