import ReactiveCore
import ReactiveTesting

extension OperatorTests {
  static let timeCases: [MarbleCase] = [
    MarbleCase(
      "sample(on:) repeats", "a---b-|", "-xx--x|", expecting: "-aa--b|", signal: { $0[0].sample(on: $0[1].trigger) },
      producer: { $0[0].sample(on: $0[1].trigger) }),
    MarbleCase(
      "sample(on:) of new values", "a---b-|", "-xx--x|", expecting: "-a---b|",
      signal: { $0[0].sample(on: $0[1].trigger, repeating: false) },
      producer: { $0[0].sample(on: $0[1].trigger, repeating: false) }),
    MarbleCase(
      "sample(with:)", "a---c-|", "-xb--x|", expecting: "-xb--x|",
      signal: { $0[0].sample(with: $0[1].withoutFailure()).map(join) },
      producer: { $0[0].sample(with: $0[1].withoutFailure()).map(join) }),
    MarbleCase(
      "debounce", "ab---c----|", expecting: "---b---c--|", signal: { $0[0].debounce(2, on: $0.scheduler) },
      producer: { $0[0].debounce(2, on: $0.scheduler) }),
    MarbleCase(
      "debounce drops at completion", "a-b|", expecting: "---|", signal: { $0[0].debounce(2, on: $0.scheduler) },
      producer: { $0[0].debounce(2, on: $0.scheduler) }),
    MarbleCase(
      "debounce waits at completion", "a-b|", expecting: "----(b|)",
      signal: { $0[0].debounce(2, on: $0.scheduler, discardWhenCompleted: false) },
      producer: { $0[0].debounce(2, on: $0.scheduler, discardWhenCompleted: false) }),
    MarbleCase(
      "debounce flushes at completion", "a-b|", expecting: "---(b|)",
      signal: { $0[0].debounce(2, on: $0.scheduler, onCompletion: .flush) },
      producer: { $0[0].debounce(2, on: $0.scheduler, onCompletion: .flush) }),
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
      "throttle flushes at completion", "ab|", expecting: "a-(b|)",
      signal: { $0[0].throttle(5, on: $0.scheduler, discardWhenCompleted: false) },
      producer: { $0[0].throttle(5, on: $0.scheduler, discardWhenCompleted: false) }),
    MarbleCase(
      "throttle(while:)", "ab-d-e|", "--t-f|", expecting: "ab--de|",
      signal: { $0[0].throttle(while: $0[1].withoutFailure().map(isTrue), on: $0.scheduler) },
      producer: { $0[0].throttle(while: $0[1].withoutFailure().map(isTrue), on: $0.scheduler) }),
    MarbleCase(
      "throttle(while:) drops at completion", "-ab|", "t--", expecting: "---|",
      signal: { $0[0].throttle(while: $0[1].withoutFailure().map(isTrue), on: $0.scheduler) },
      producer: { $0[0].throttle(while: $0[1].withoutFailure().map(isTrue), on: $0.scheduler) }),
    MarbleCase(
      "audit", "abc---d---|", expecting: "--c-----d-|", signal: { $0[0].audit(2, on: $0.scheduler) },
      producer: { $0[0].audit(2, on: $0.scheduler) }),
    MarbleCase(
      "audit flushes at completion", "ab|", expecting: "--(b|)", signal: { $0[0].audit(5, on: $0.scheduler) },
      producer: { $0[0].audit(5, on: $0.scheduler) }),
    MarbleCase(
      "delay", "ab-c|", expecting: "--ab-c|", signal: { $0[0].delay(2, on: $0.scheduler) },
      producer: { $0[0].delay(2, on: $0.scheduler) }),
    MarbleCase(
      "delay fails at once", "ab-#", expecting: "--a#", signal: { $0[0].delay(2, on: $0.scheduler) },
      producer: { $0[0].delay(2, on: $0.scheduler) }),
    MarbleCase(
      "timeout(after:)", "a----|", expecting: "a--#",
      signal: { $0[0].timeout(after: 3, raising: MarbleFailure(), on: $0.scheduler) },
      producer: { $0[0].timeout(after: 3, raising: MarbleFailure(), on: $0.scheduler) }),
    MarbleCase(
      "timeout(after:) that ends in time", "a-|", expecting: "a-|",
      signal: { $0[0].timeout(after: 3, raising: MarbleFailure(), on: $0.scheduler) },
      producer: { $0[0].timeout(after: 3, raising: MarbleFailure(), on: $0.scheduler) }),
    MarbleCase(
      "timeout(first:)", "----a|", expecting: "---#",
      signal: { $0[0].timeout(first: 3, raising: MarbleFailure(), on: $0.scheduler) },
      producer: { $0[0].timeout(first: 3, raising: MarbleFailure(), on: $0.scheduler) }),
    MarbleCase(
      "timeout(first:) that comes in time", "-a----|", expecting: "-a----|",
      signal: { $0[0].timeout(first: 3, raising: MarbleFailure(), on: $0.scheduler) },
      producer: { $0[0].timeout(first: 3, raising: MarbleFailure(), on: $0.scheduler) }),
    MarbleCase(
      "timeout(gap:)", "a-a-----a|", expecting: "a-a--#",
      signal: { $0[0].timeout(gap: 3, raising: MarbleFailure(), on: $0.scheduler) },
      producer: { $0[0].timeout(gap: 3, raising: MarbleFailure(), on: $0.scheduler) }),
    MarbleCase(
      "collect", "124|", expecting: "---(7|)", signal: { $0[0].collect().map(total) },
      producer: { $0[0].collect().map(total) }),
    MarbleCase(
      "collect of nothing", "--|", expecting: "--(0|)", signal: { $0[0].collect().map(total) },
      producer: { $0[0].collect().map(total) }),
    MarbleCase(
      "collect(limit:) drops the oldest", "124|", expecting: "---(6|)",
      signal: { $0[0].collect(limit: Bound(limit: 2, overflow: .dropOldest)).map(total) },
      producer: { $0[0].collect(limit: Bound(limit: 2, overflow: .dropOldest)).map(total) }),
    MarbleCase(
      "collect(limit:) drops the newest", "124|", expecting: "---(3|)",
      signal: { $0[0].collect(limit: Bound(limit: 2, overflow: .dropNewest)).map(total) },
      producer: { $0[0].collect(limit: Bound(limit: 2, overflow: .dropNewest)).map(total) }),
    MarbleCase(
      "collect(limit:) fails at the bound", "124|", expecting: "--#",
      signal: { $0[0].collect(limit: Bound(limit: 2, overflow: .fail(MarbleFailure()))).map(total) },
      producer: { $0[0].collect(limit: Bound(limit: 2, overflow: .fail(MarbleFailure()))).map(total) }),
    MarbleCase(
      "collect(count:)", "124|", expecting: "-3-(4|)", signal: { $0[0].collect(count: 2).map(total) },
      producer: { $0[0].collect(count: 2).map(total) }),
    MarbleCase(
      "collect(count:) of nothing", "--|", expecting: "--(0|)", signal: { $0[0].collect(count: 2).map(total) },
      producer: { $0[0].collect(count: 2).map(total) }),
    MarbleCase(
      "collect(count:) that comes out even", "12|", expecting: "-3|", signal: { $0[0].collect(count: 2).map(total) },
      producer: { $0[0].collect(count: 2).map(total) }),
    MarbleCase(
      "collect until the list fits", "1242|", expecting: "-3-6|",
      signal: { $0[0].collect { $0.count == 2 }.map(total) }, producer: { $0[0].collect { $0.count == 2 }.map(total) }),
    MarbleCase(
      "collect until the list fits, bounded", "1242|", expecting: "----(6|)",
      signal: { $0[0].collect({ $0.count == 3 }, limit: Bound(limit: 2, overflow: .dropOldest)).map(total) },
      producer: { $0[0].collect({ $0.count == 3 }, limit: Bound(limit: 2, overflow: .dropOldest)).map(total) }),
    MarbleCase(
      "collect until the next value fits", "1242|", expecting: "--3-(6|)",
      signal: { $0[0].collect { _, latest in latest == "4" }.map(total) },
      producer: { $0[0].collect { _, latest in latest == "4" }.map(total) }),
    MarbleCase(
      "collect(count:every:) overlapping", "124|", expecting: "-36(4|)",
      signal: { $0[0].collect(count: 2, every: 1).map(total) },
      producer: { $0[0].collect(count: 2, every: 1).map(total) }),
    MarbleCase(
      "collect(count:every:) with gaps", "1248|", expecting: "-3--(8|)",
      signal: { $0[0].collect(count: 2, every: 3).map(total) },
      producer: { $0[0].collect(count: 2, every: 3).map(total) }),
    MarbleCase(
      "collect(every:)", "12---|", expecting: "--3-0|",
      signal: { $0[0].collect(every: .seconds(2), on: $0.scheduler).map(total) },
      producer: { $0[0].collect(every: .seconds(2), on: $0.scheduler).map(total) }),
    MarbleCase(
      "collect(every:) without empty lists", "12---|", expecting: "--3--|",
      signal: { $0[0].collect(every: .seconds(2), on: $0.scheduler, skipEmpty: true).map(total) },
      producer: { $0[0].collect(every: .seconds(2), on: $0.scheduler, skipEmpty: true).map(total) }),
    MarbleCase(
      "collect(every:) waits at completion", "1----(2|)", expecting: "--1-0-(2|)",
      signal: { $0[0].collect(every: .seconds(2), on: $0.scheduler, discardWhenCompleted: false).map(total) },
      producer: { $0[0].collect(every: .seconds(2), on: $0.scheduler, discardWhenCompleted: false).map(total) }),
    MarbleCase(
      "collect(on:)", "12-4|", "--x---|", expecting: "--3-(4|)",
      signal: { $0[0].collect(on: $0[1].trigger).map(total) }, producer: { $0[0].collect(on: $0[1].trigger).map(total) }
    ),
    MarbleCase(
      "collect(on:) of nothing", "1---|", "-xx---|", expecting: "-10-|",
      signal: { $0[0].collect(on: $0[1].trigger).map(total) }, producer: { $0[0].collect(on: $0[1].trigger).map(total) }
    ),
    MarbleCase(
      "collect(on:) without empty lists", "1---|", "-xx---|", expecting: "-1--|",
      signal: { $0[0].collect(on: $0[1].trigger, skipEmpty: true).map(total) },
      producer: { $0[0].collect(on: $0[1].trigger, skipEmpty: true).map(total) }),
    MarbleCase(
      "collect(on:) fails at the bound", "124|", "-----|", expecting: "--#",
      signal: { $0[0].collect(on: $0[1].trigger, limit: Bound(limit: 2, overflow: .fail(MarbleFailure()))).map(total) },
      producer: {
        $0[0].collect(on: $0[1].trigger, limit: Bound(limit: 2, overflow: .fail(MarbleFailure()))).map(total)
      }),
    MarbleCase(
      "buffer of time", "12-4--|", expecting: "--3--4|", signal: { $0[0].buffer(2, on: $0.scheduler).map(total) },
      producer: { $0[0].buffer(2, on: $0.scheduler).map(total) }),
    MarbleCase(
      "buffer of time and count", "124|", expecting: "-3-(4|)",
      signal: { $0[0].buffer(9, count: 2, on: $0.scheduler).map(total) },
      producer: { $0[0].buffer(9, count: 2, on: $0.scheduler).map(total) }),
    MarbleCase(
      "buffer of time, bounded", "124-|", expecting: "---6|",
      signal: { $0[0].buffer(3, on: $0.scheduler, limit: Bound(limit: 2, overflow: .dropOldest)).map(total) },
      producer: { $0[0].buffer(3, on: $0.scheduler, limit: Bound(limit: 2, overflow: .dropOldest)).map(total) }),
    MarbleCase(
      "window(count:)", "abcd|", expecting: "1233|", signal: { $0[0].window(count: 3).map { figure($0.count) } },
      producer: { $0[0].window(count: 3).map { figure($0.count) } }),
    MarbleCase(
      "window(count:) without partial ones", "abcd|", expecting: "--cd|",
      signal: { $0[0].window(count: 3, partial: false).map { $0[2] } },
      producer: { $0[0].window(count: 3, partial: false).map { $0[2] } }),
    MarbleCase(
      "window of time", "abc--d|", expecting: "122--1|",
      signal: { $0[0].window(2, on: $0.scheduler).map { figure($0.count) } },
      producer: { $0[0].window(2, on: $0.scheduler).map { figure($0.count) } }),
    MarbleCase(
      "sample(every:) repeats", "a--b---|", expecting: "--a-b-b|",
      signal: { $0[0].sample(every: 2, on: $0.scheduler) }, producer: { $0[0].sample(every: 2, on: $0.scheduler) }),
    MarbleCase(
      "sample(every:) of new values", "a--b---|", expecting: "--a-b--|",
      signal: { $0[0].sample(every: 2, repeating: false, on: $0.scheduler) },
      producer: { $0[0].sample(every: 2, repeating: false, on: $0.scheduler) }),
    MarbleCase(
      "delay(when:)", "ab---|", expecting: "--ab-|",
      signal: { inputs in inputs[0].delay { _ in inputs.cold("--x") } },
      producer: { inputs in inputs[0].delay { _ in inputs.cold("--x") } }),
    MarbleCase(
      "delay(when:) something completes", "a|", expecting: "--(a|)",
      signal: { inputs in inputs[0].delay { _ in inputs.cold("--|") } },
      producer: { inputs in inputs[0].delay { _ in inputs.cold("--|") } }),
    MarbleCase(
      "delay(when:) something fails", "a--|", expecting: "-#",
      signal: { inputs in inputs[0].delay { _ in inputs.cold("-#") } },
      producer: { inputs in inputs[0].delay { _ in inputs.cold("-#") } }),
    MarbleCase(
      "timeout(after:) with a fallback", "a----|", expecting: "a--x-y|",
      signal: { $0[0].timeout(after: 3, fallback: $0.cold("x-y|"), on: $0.scheduler) },
      producer: { $0[0].timeout(after: 3, fallback: $0.cold("x-y|"), on: $0.scheduler) }),
    MarbleCase(
      "timeout(after:) with a fallback that is not needed", "a|", expecting: "a|",
      signal: { $0[0].timeout(after: 3, fallback: $0.cold("x-y|"), on: $0.scheduler) },
      producer: { $0[0].timeout(after: 3, fallback: $0.cold("x-y|"), on: $0.scheduler) }),
    MarbleCase(
      "timeout(first:) with a fallback", "----a|", expecting: "---x-y|",
      signal: { $0[0].timeout(first: 3, fallback: $0.cold("x-y|"), on: $0.scheduler) },
      producer: { $0[0].timeout(first: 3, fallback: $0.cold("x-y|"), on: $0.scheduler) }),
    MarbleCase(
      "timeout(gap:) with a fallback", "a-a-----a|", expecting: "a-a--x-y|",
      signal: { $0[0].timeout(gap: 3, fallback: $0.cold("x-y|"), on: $0.scheduler) },
      producer: { $0[0].timeout(gap: 3, fallback: $0.cold("x-y|"), on: $0.scheduler) }),
  ]
}
