import ReactiveCore
import ReactiveTesting

extension OperatorTests {
  static let timeCases: [MarbleCase] = [
    MarbleCase(
      "sample(on:) repeats", "a---b-|", "-xx--x|", expecting: "-aa--b|",
      signal: { $0[0].sample(on: $0[1].withoutFailure().map(value: ())) },
      producer: { $0[0].sample(on: $0[1].withoutFailure().map(value: ())) }),
    MarbleCase(
      "debounce", "ab---c----|", expecting: "---b---c--|", signal: { $0[0].debounce(2, on: $0.scheduler) },
      producer: { $0[0].debounce(2, on: $0.scheduler) }),
    MarbleCase(
      "debounce drops at completion", "a-b|", expecting: "---|", signal: { $0[0].debounce(2, on: $0.scheduler) },
      producer: { $0[0].debounce(2, on: $0.scheduler) }),
    MarbleCase(
      "debounce flushes at completion", "a-b|", expecting: "---(b|)",
      signal: { $0[0].debounce(2, on: $0.scheduler, discardWhenCompleted: false) },
      producer: { $0[0].debounce(2, on: $0.scheduler, discardWhenCompleted: false) }),
    MarbleCase(
      "debounce fails at once", "ab-#", expecting: "---#", signal: { $0[0].debounce(2, on: $0.scheduler) },
      producer: { $0[0].debounce(2, on: $0.scheduler) }),
    MarbleCase(
      "throttle", "abcd-----e-|", expecting: "a-c-d----e-|", signal: { $0[0].throttle(2, on: $0.scheduler) },
      producer: { $0[0].throttle(2, on: $0.scheduler) }),
    MarbleCase(
      "throttle leading", "abcd-----e-|", expecting: "a-c------e-|",
      signal: { $0[0].throttle(2, on: $0.scheduler, trailing: false) },
      producer: { $0[0].throttle(2, on: $0.scheduler, trailing: false) }),
    MarbleCase(
      "throttle trailing", "abc------e---|", expecting: "--c--------e-|",
      signal: { $0[0].throttle(2, on: $0.scheduler, leading: false) },
      producer: { $0[0].throttle(2, on: $0.scheduler, leading: false) }),
    MarbleCase(
      "delay", "ab-c|", expecting: "--ab-c|", signal: { $0[0].delay(2, on: $0.scheduler) },
      producer: { $0[0].delay(2, on: $0.scheduler) }),
    MarbleCase(
      "delay fails at once", "ab-#", expecting: "--a#", signal: { $0[0].delay(2, on: $0.scheduler) },
      producer: { $0[0].delay(2, on: $0.scheduler) }),
    MarbleCase(
      "window(count:)", "abcd|", expecting: "1233|",
      signal: { $0[0].window(count: 3).map { Character(String($0.count)) } },
      producer: { $0[0].window(count: 3).map { Character(String($0.count)) } }),
    MarbleCase(
      "window(count:) without partial ones", "abcd|", expecting: "--cd|",
      signal: { $0[0].window(count: 3, partial: false).map { $0[2] } },
      producer: { $0[0].window(count: 3, partial: false).map { $0[2] } }),
    MarbleCase(
      "window of time", "abc--d|", expecting: "122--1|",
      signal: { $0[0].window(2, on: $0.scheduler).map { Character(String($0.count)) } },
      producer: { $0[0].window(2, on: $0.scheduler).map { Character(String($0.count)) } }),
  ]
}
