import Foundation
import GraphTools
import Testing

/// Scripts: longer stories than diagrams can show.
struct TestScriptTests {
  @Test func `a new subscriber is given what is held or replayed, then what follows`() throws {
    let script = """
      - {at: 0s, send: {raw: 1}}
      - {at: 1s, send: {raw: 2}}
      - {at: 5s, subscribe: {as: newcomer, to: history}}
      - {at: 5s, subscribe: {as: holder, to: held}}
      - {at: 5s, expect: {newcomer: 1}}
      - {at: 5s, expect: {newcomer: 2}}
      - {at: 5s, expect: {holder: 2}}
      - {at: 6s, send: {raw: 3}}
      - {at: 6s, expect: {newcomer: 3}}
      - {at: 6s, expect: {holder: 3}}
      - {at: 7s, unsubscribe: newcomer}
      - {at: 8s, send: {raw: 4}}
      - {at: 8s, expect: {holder: 4}}
      - {at: 9s, end: {raw: completed}}
      - {at: 9s, expect_end: {holder: completed}}
      - {at: 9s, subscribe: {as: last, to: held}}
      - {at: 9s, expect: {last: 4}}
      - {at: 9s, expect_end: {last: completed}}
      """
    #expect(try report(script) == "")
  }

  @Test func `a lazy signal runs once for all expected subscribers, a cold one for each alone`() throws {
    let script = """
      - {at: 1s, subscribe: {as: first, to: counter}}
      - {at: 2s, expect: {first: 0}}
      - {at: 3s, subscribe: {as: second, to: counter}}
      - {at: 3s, expect: {first: 1}}
      - {at: 3500ms, unsubscribe: first}
      - {at: 4s, expect: {second: 0}}
      - {at: 1s, send: {raw: 1}}
      - {at: 1s, expect: {asked: 1}}
      """
    #expect(try report(script) == "")
  }

  @Test func `what is sent at an instant comes before what is expected then, and timers last`() throws {
    #expect(try report("- {at: 2s, expect: {late: 1}}\n- {at: 0s, send: {raw: 1}}") == "")
    let held = """
      - {at: 0s, send: {raw: 1}}
      - {at: 2s, send: {raw: 2}}
      - {at: 4s, expect: {late: 2}}
      """
    #expect(try report(held) == "")
  }

  @Test func `until lets time advance, and a signal that is named emits nothing else`() throws {
    let script = "- {at: 0s, send: {raw: 1}}\n- {at: 0s, expect: {raw: 1}}\n- {at: 0s, subscribe: {as: x, to: late}}"
    #expect(try report(script) == "")
    #expect(try report(script, "until: 1h").contains("at 2s: expected nothing, found 1"))
  }

  @Test func `values that were expected are reported with the line of their step`() throws {
    let report = try report("- {at: 0s, send: {raw: {a: 1}}}\n- {at: 0s, expect: {raw: {a: 2}}}")
    #expect(
      report == """
        test.yaml:17:29: failed: g: test 1
          raw
          expected  A
          actual    B
                    ^
          A = {"a":2}
          B = {"a":1}
          at 0s: expected {"a":2}, found {"a":1}
          note: at 0s map of g.doubled rejected {"a":1}: object ({"a":1}) and number (2) cannot be divided

        """)
  }

  @Test func `a long story is drawn around its first difference`() throws {
    let report = try report("- {at: 10h, send: {raw: 1}}\n- {at: 10h, expect: {raw: 2}}", "until: 20h")
    let lines = report.split(separator: "\n")
    #expect(lines[2].count < 120 && lines[2].contains("…") && lines[2].hasSuffix("2----…"))
    #expect(lines[3].hasSuffix("1----…"))
    #expect(lines.last == "  at 10h: expected 2, found 1")
  }

  @Test func `a step that the graph refuses fails the test`() throws {
    let script = "- {at: 1s, send: {typed: 1}}\n- {at: 1s, expect: {typed: x}}"
    #expect(try report(script).contains("g.typed: at 1s: expected a string, found a number"))
    let twice =
      "- {at: 1s, end: {raw: completed}}\n- {at: 2s, send: {raw: 1}}\n- {at: 1s, expect_end: {raw: completed}}"
    #expect(try report(twice).contains("g.raw: at 2s: the signal has already ended"))
  }

  @Test func `values that an expression refused are reported with what went wrong`() throws {
    let script = "- {at: 1s, send: {raw: text}}\n- {at: 1s, expect: {doubled: 2}}"
    #expect(try report(script).contains("note: at 1s map of g.doubled rejected \"text\": "))
  }

  @Test func `a stub emits what is sent to it, past its pipe, and nothing that it is made of`() throws {
    let script = """
      - {at: 0s, send: {raw: 8}}
      - {at: 1s, send: {doubled: 3}}
      - {at: 1s, expect: {doubled: 3}}
      - {at: 2s, end: {doubled: completed}}
      - {at: 2s, expect_end: {doubled: completed}}
      - {at: 0s, expect: {raw: 8}}
      """
    #expect(try report(script, "stubs: [doubled]") == "")
    let twice =
      "- {at: 1s, end: {late: completed}}\n- {at: 2s, send: {late: 1}}\n- {at: 1s, expect_end: {late: completed}}"
    #expect(try report(twice, "stubs: [late]").contains("g.late: at 2s: the signal has already ended"))
    let silent = "- {at: 0s, send: {raw: 1}}\n- {at: 0s, subscribe: {as: x, to: history}}"
    #expect(try report(silent, "stubs: [history]") == "")
  }

  @Test func `times of a test are as fine as a nanosecond`() throws {
    let script = """
      - {at: 0s, send: {raw: 1}}
      - {at: 1s999ms999us999ns, send: {raw: 2}}
      - {at: 3s999ms999us999ns, expect: {late: 2}}
      """
    #expect(try report(script) == "")
    let other = script.replacingOccurrences(of: "3s999ms999us999ns", with: "3s999ms999us998ns")
    #expect(try report(other).contains("at 3s999ms999us998ns: expected 2, found nothing"))
    #expect(try report("- {at: 0s, subscribe: {as: x, to: late}}", "until: 7us") == "")
  }

  private static let signals = """
    raw: {input: {}}
    typed: {input: {type: string}}
    doubled: {from: raw, pipe: [{map: . / 2}]}
    late: {from: raw, pipe: [{debounce: 2s}]}
    history: {from: raw, replay: 10}
    held: {from: raw, hold: true}
    asked: {from: raw, lazy: true}
    counter: {interval: 1s, cold: true}
    """

  private func report(_ script: String, _ more: String = "tick: 1s") throws -> String {
    let steps = script.split(separator: "\n").map { "\n        \($0)" }.joined()
    return try GraphTestTests.outcomes(Self.signals, "\n      - \(more)\n        script:\(steps)").map(\.report)
      .joined()
  }
}
