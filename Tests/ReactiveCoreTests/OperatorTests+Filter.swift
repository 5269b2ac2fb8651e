import ReactiveCore
import ReactiveTesting

extension OperatorTests {
  static let filterCases: [MarbleCase] = [
    MarbleCase(
      "filter", "abab|", expecting: "a-a-|", signal: { $0[0].filter { $0 == "a" } },
      producer: { $0[0].filter { $0 == "a" } }),
    MarbleCase(
      "ignoreValues", "ab-#", expecting: "---#", signal: { $0[0].ignoreValues().promoteValue() },
      producer: { $0[0].ignoreValues().promoteValue() }),
    MarbleCase(
      "ignore", "aba|", expecting: "-b-|", signal: { $0[0].ignore("a") }, producer: { $0[0].ignore("a") }),
    MarbleCase(
      "skipRepeats", "aab-ba|", expecting: "a-b--a|", signal: { $0[0].skipRepeats() }, producer: { $0[0].skipRepeats() }
    ),
    MarbleCase(
      "skipRepeats of a comparison", "aAbB|", expecting: "a-b-|",
      signal: { $0[0].skipRepeats { upper($0) == upper($1) } },
      producer: { $0[0].skipRepeats { upper($0) == upper($1) } }),
    MarbleCase(
      "skipRepeats(by:) a key", "aAbB|", expecting: "a-b-|", signal: { $0[0].skipRepeats(by: upper) },
      producer: { $0[0].skipRepeats(by: upper) }),
    MarbleCase(
      "uniqueValues", "abab|", expecting: "ab--|", signal: { $0[0].uniqueValues() }, producer: { $0[0].uniqueValues() }),
    MarbleCase(
      "uniqueValues of a key", "aAbA|", expecting: "a-b-|", signal: { $0[0].uniqueValues(upper) },
      producer: { $0[0].uniqueValues(upper) }),
    MarbleCase(
      "uniqueValues forgets the oldest", "abcaa|", expecting: "abca-|",
      signal: { $0[0].uniqueValues(upper, limit: Bound(limit: 2, overflow: .dropOldest)) },
      producer: { $0[0].uniqueValues(upper, limit: Bound(limit: 2, overflow: .dropOldest)) }),
    MarbleCase(
      "uniqueValues drops the newest", "abcab|", expecting: "ab---|",
      signal: { $0[0].uniqueValues(upper, limit: Bound(limit: 2, overflow: .dropNewest)) },
      producer: { $0[0].uniqueValues(upper, limit: Bound(limit: 2, overflow: .dropNewest)) }),
    MarbleCase(
      "uniqueValues fails at the bound", "aabc|", expecting: "a-b#",
      signal: { $0[0].uniqueValues(upper, limit: Bound(limit: 2, overflow: .fail(MarbleFailure()))) },
      producer: { $0[0].uniqueValues(upper, limit: Bound(limit: 2, overflow: .fail(MarbleFailure()))) }),
    MarbleCase(
      "uniqueValues within a while", "a-a-a---a|", expecting: "a-------a|",
      signal: { $0[0].uniqueValues(upper, idle: 3, on: $0.scheduler) },
      producer: { $0[0].uniqueValues(upper, idle: 3, on: $0.scheduler) }),
    MarbleCase(
      "take(first:)", "ab-cd|", expecting: "ab-(c|)", signal: { $0[0].take(first: 3) },
      producer: { $0[0].take(first: 3) }),
    MarbleCase(
      "take(for:)", "ab-d|", expecting: "ab|", signal: { $0[0].take(for: 2, on: $0.scheduler) },
      producer: { $0[0].take(for: 2, on: $0.scheduler) }),
    MarbleCase(
      "take(for:) ends before", "a|", expecting: "a|", signal: { $0[0].take(for: 2, on: $0.scheduler) },
      producer: { $0[0].take(for: 2, on: $0.scheduler) }),
    MarbleCase(
      "take(last:)", "abcd|", expecting: "----(cd|)", signal: { $0[0].take(last: 2) }, producer: { $0[0].take(last: 2) }
    ),
    MarbleCase(
      "take(last:) of fewer", "a-|", expecting: "--(a|)", signal: { $0[0].take(last: 2) },
      producer: { $0[0].take(last: 2) }),
    MarbleCase(
      "take(last:) drops at a failure", "abc#", expecting: "---#", signal: { $0[0].take(last: 2) },
      producer: { $0[0].take(last: 2) }),
    MarbleCase(
      "take(while:)", "abcd|", expecting: "ab|", signal: { $0[0].take(while: { $0 < "c" }) },
      producer: { $0[0].take(while: { $0 < "c" }) }),
    MarbleCase(
      "take(while:) inclusive", "abcd|", expecting: "ab(c|)",
      signal: { $0[0].take(while: { $0 < "c" }, inclusive: true) },
      producer: { $0[0].take(while: { $0 < "c" }, inclusive: true) }),
    MarbleCase(
      "take(until:) of a predicate", "abcd|", expecting: "ab(c|)", signal: { $0[0].take(until: { $0 < "c" }) },
      producer: { $0[0].take(until: { $0 < "c" }) }),
    MarbleCase(
      "take(until:) ends with a value", "ab-cd|", "--x", expecting: "ab|", signal: { $0[0].take(until: $0[1].trigger) },
      producer: { $0[0].take(until: $0[1].trigger) }),
    MarbleCase(
      "take(until:) ends with a completion", "a-cd|", "-|", expecting: "a|",
      signal: { $0[0].take(until: $0[1].trigger) }, producer: { $0[0].take(until: $0[1].trigger) }),
    MarbleCase(
      "take(untilReplacement:)", "abcd|", "--x-y-|", expecting: "ab(cx)-y-|",
      signal: { $0[0].take(untilReplacement: $0[1]) }, producer: { $0[0].take(untilReplacement: $0[1]) }),
    MarbleCase(
      "take(untilReplacement:) continues without the source", "a|", "--x|", expecting: "a-x|",
      signal: { $0[0].take(untilReplacement: $0[1]) }, producer: { $0[0].take(untilReplacement: $0[1]) }),
    MarbleCase(
      "take(during:)", "ab|", expecting: "ab|", signal: { $0[0].take(during: everlasting) },
      producer: { $0[0].take(during: everlasting) }),
    MarbleCase(
      "skip(first:)", "ab-cd|", expecting: "---cd|", signal: { $0[0].skip(first: 2) },
      producer: { $0[0].skip(first: 2) }),
    MarbleCase(
      "skip(for:)", "abcd|", expecting: "---d|", signal: { $0[0].skip(for: 2, on: $0.scheduler) },
      producer: { $0[0].skip(for: 2, on: $0.scheduler) }),
    MarbleCase(
      "skip(for:) no time", "ab|", expecting: "ab|", signal: { $0[0].skip(for: 0, on: $0.scheduler) },
      producer: { $0[0].skip(for: 0, on: $0.scheduler) }),
    MarbleCase(
      "skip(last:)", "abcd|", expecting: "--ab|", signal: { $0[0].skip(last: 2) }, producer: { $0[0].skip(last: 2) }),
    MarbleCase(
      "skip(while:)", "abca|", expecting: "--ca|", signal: { $0[0].skip(while: { $0 < "c" }) },
      producer: { $0[0].skip(while: { $0 < "c" }) }),
    MarbleCase(
      "skip(while:) inclusive", "abca|", expecting: "---a|",
      signal: { $0[0].skip(while: { $0 < "c" }, inclusive: true) },
      producer: { $0[0].skip(while: { $0 < "c" }, inclusive: true) }),
    MarbleCase(
      "skip(until:) a value", "ab-d|", "--x", expecting: "---d|", signal: { $0[0].skip(until: $0[1].trigger) },
      producer: { $0[0].skip(until: $0[1].trigger) }),
    MarbleCase(
      "skip(until:) a completion", "ab-d|", "--|", expecting: "---d|", signal: { $0[0].skip(until: $0[1].trigger) },
      producer: { $0[0].skip(until: $0[1].trigger) }),
    MarbleCase(
      "first(where:)", "abc|", expecting: "-(b|)", signal: { $0[0].first { $0 > "a" } },
      producer: { $0[0].first { $0 > "a" } }),
    MarbleCase(
      "firstIndex(where:)", "abc|", expecting: "-(1|)", signal: { $0[0].firstIndex { $0 > "a" }.map(figure) },
      producer: { $0[0].firstIndex { $0 > "a" }.map(figure) }),
    MarbleCase(
      "last(where:)", "abc|", expecting: "---(b|)", signal: { $0[0].last { $0 < "c" } },
      producer: { $0[0].last { $0 < "c" } }),
    MarbleCase(
      "element(at:)", "abc|", expecting: "-(b|)", signal: { $0[0].element(at: 1) }, producer: { $0[0].element(at: 1) }),
    MarbleCase(
      "element(at:) that does not come", "a|", expecting: "-|", signal: { $0[0].element(at: 1) },
      producer: { $0[0].element(at: 1) }),
    MarbleCase(
      "single", "a-|", expecting: "--(a|)", signal: { $0[0].single(ifEmpty: MarbleFailure(), ifMore: MarbleFailure()) },
      producer: { $0[0].single(ifEmpty: MarbleFailure(), ifMore: MarbleFailure()) }),
    MarbleCase(
      "single of two", "ab-|", expecting: "-#",
      signal: { $0[0].single(ifEmpty: MarbleFailure(), ifMore: MarbleFailure()) },
      producer: { $0[0].single(ifEmpty: MarbleFailure(), ifMore: MarbleFailure()) }),
    MarbleCase(
      "single of none", "--|", expecting: "--#",
      signal: { $0[0].single(ifEmpty: MarbleFailure(), ifMore: MarbleFailure()) },
      producer: { $0[0].single(ifEmpty: MarbleFailure(), ifMore: MarbleFailure()) }),
    MarbleCase(
      "any(where:)", "ab-|", expecting: "-(t|)", signal: { $0[0].any { $0 == "b" }.map(truth) },
      producer: { $0[0].any { $0 == "b" }.map(truth) }),
    MarbleCase(
      "any(where:) without a match", "aa|", expecting: "--(f|)", signal: { $0[0].any { $0 == "b" }.map(truth) },
      producer: { $0[0].any { $0 == "b" }.map(truth) }),
    MarbleCase(
      "any", "-a|", expecting: "-(t|)", signal: { $0[0].any().map(truth) }, producer: { $0[0].any().map(truth) }),
    MarbleCase(
      "all(where:)", "aab|", expecting: "--(f|)", signal: { $0[0].all { $0 == "a" }.map(truth) },
      producer: { $0[0].all { $0 == "a" }.map(truth) }),
    MarbleCase(
      "all(where:) of matches", "aa|", expecting: "--(t|)", signal: { $0[0].all { $0 == "a" }.map(truth) },
      producer: { $0[0].all { $0 == "a" }.map(truth) }),
    MarbleCase(
      "isEmpty", "--|", expecting: "--(t|)", signal: { $0[0].isEmpty().map(truth) },
      producer: { $0[0].isEmpty().map(truth) }),
    MarbleCase(
      "isEmpty of a value", "-a", expecting: "-(f|)", signal: { $0[0].isEmpty().map(truth) },
      producer: { $0[0].isEmpty().map(truth) }),
    MarbleCase(
      "defaultIfEmpty", "--|", expecting: "--(z|)", signal: { $0[0].defaultIfEmpty("z") },
      producer: { $0[0].defaultIfEmpty("z") }),
    MarbleCase(
      "defaultIfEmpty of a value", "a-|", expecting: "a-|", signal: { $0[0].defaultIfEmpty("z") },
      producer: { $0[0].defaultIfEmpty("z") }),
    MarbleCase(
      "failIfEmpty", "--|", expecting: "--#", signal: { $0[0].failIfEmpty(raising: MarbleFailure()) },
      producer: { $0[0].failIfEmpty(raising: MarbleFailure()) }),
    MarbleCase(
      "failIfEmpty of a value", "a-|", expecting: "a-|", signal: { $0[0].failIfEmpty(raising: MarbleFailure()) },
      producer: { $0[0].failIfEmpty(raising: MarbleFailure()) }),
  ]
}
