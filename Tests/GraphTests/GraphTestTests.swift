import GraphTools
import Testing

/// Tests contained in a configuration.
struct GraphTestTests {
  @Test(arguments: [
    "given: {raw: '1---'}, expect: {late: '--1-'}",
    "given: {raw: '1---|'}, expect: {late: '--1-|'}",
    "given: {raw: '1 (23) -'}, expect: {raw: '1(2 3)-'}",
    "given: {raw: '-a-'}, values: {a: 3, c: 3.0}, expect: {raw: '-c-'}",
    "given: {g.raw: '1---'}, expect: {g.late: '--1-'}",
  ])
  func `a diagram that holds passes`(test: String) throws {
    #expect(try report(of: test) == "")
  }

  @Test func `columns are one tick apart, and all of a column is sent before its timers are due`() throws {
    let test = "tick: 500ms, given: {raw: '1---2'}, expect: {late: '--------2-'}"
    #expect(try report(of: test) == "")
    #expect(try report(of: "tick: 500ms, given: {raw: '1----2--'}, expect: {late: '----1----2'}") == "")
  }

  @Test func `entries of one column enter as one turn each, in the order of the rows`() throws {
    let signals = """
      a: {input: {}}
      b: {input: {}}
      both: {combine: [a, b]}
      """
    let values = "values: {x: [1, 2], y: [1, 3], z: [4, 3]}"
    #expect(try report(of: "given: {a: '1-', b: '2(3)'}, \(values), expect: {both: 'xy'}", signals) == "")
    #expect(try report(of: "given: {b: '23', a: '1-'}, \(values), expect: {both: 'xy'}", signals) == "")
    #expect(
      try report(
        of: "given: {a: '1(4)', b: '(23)-'}, values: {x: [1, 2], y: [1, 3], z: [4, 3]}, "
          + "expect: {both: '(xy)z'}", signals) == "")
  }

  @Test func `a letter is what values define, else what it looks like`() throws {
    #expect(
      try report(of: "values: {a: {b: [1]}}, given: {raw: 'atfx7'}, expect: {raw: 'atfx7'}") == "")
    let script = """
      given: {raw: 'tfx7'}, script: [{at: 0s, expect: {raw: true}}, {at: 1s, expect: {raw: false}}, \
      {at: 2s, expect: {raw: x}}, {at: 3s, expect: {raw: 7.0}}]
      """
    #expect(try report(of: script) == "")
  }

  @Test func `numbers may be as far from what is expected as the test allows`() throws {
    let given = "given: {raw: 'ab'}, values: {a: 0.30000000000000004, b: {c: [1.25, x]}, m: 0.3, n: {c: [1.3, x]}}"
    #expect(try report(of: "about: 0.0500001, \(given), expect: {raw: 'mn'}") == "")
    let script = "script: [{at: 0s, expect: {raw: 0.35}}, {at: 1s, expect: {raw: {c: [1.2, x]}}}]"
    #expect(try report(of: "about: 0.0500001, \(given), \(script)") == "")
    #expect(try report(of: "about: 0.01, \(given), expect: {raw: 'mn'}").contains("at 1s: expected {"))
    #expect(try report(of: "\(given), expect: {raw: 'mn'}").contains("at 0s: expected 0.3, found 0.30000000000000004"))
    let other = "about: 9, given: {raw: 'a'}, values: {a: {c: 1}, m: {d: 1}, n: [1, 1]}"
    #expect(try report(of: "\(other), expect: {raw: 'm'}").contains("found"))
    #expect(try report(of: "\(other), expect: {raw: 'n'}").contains("found"))
  }

  @Test func `endings are given and expected, whether or not the signal is endable`() throws {
    for sign in "|#!" { #expect(try report(of: "given: {raw: '1\(sign)'}, expect: {raw: '1\(sign)'}") == "") }
    #expect(try report(of: "given: {raw: '1|'}, expect: {raw: '1#'}").contains("found completed"))
    #expect(try report(of: "error: {code: x}, given: {raw: '#'}, expect: {raw: '#'}") == "")
    #expect(
      try report(of: "given: {raw: '#'}, script: [{at: 0s, expect_end: {raw: {failed: {code: x}}}}]")
        .contains("expected failed with code \"x\", found failed with code \"error\""))
    #expect(try report(of: "given: {raw: '#'}, script: [{at: 0s, expect_end: {raw: failed}}]") == "")
  }

  @Test func `first values happen at 0s`() throws {
    let signals = "p: {property: {initial: 5}}"
    #expect(try report(of: "expect: {p: '5--'}", signals) == "")
    #expect(try report(of: "given: {p: '6-'}, expect: {p: '(56)-'}", signals) == "")
  }

  @Test func `what comes in another column, or not at all, or unasked, fails`() throws {
    #expect(try report(of: "given: {raw: '1---'}, expect: {late: '-1--'}").contains("at 1s: expected 1, found nothing"))
    #expect(try report(of: "given: {raw: '1---'}, expect: {late: '----'}").contains("at 2s: expected nothing, found 1"))
    #expect(try report(of: "given: {raw: '12'}, expect: {raw: '13'}").contains("at 1s: expected 3, found 2"))
    #expect(
      try report(of: "given: {raw: '1-'}, expect: {soon: '-1'}").contains("at 500ms: expected nothing, found 1"))
  }

  @Test(arguments: [
    (#""\u00e9""#, #""e\u0301""#, #"expected "\u00e9", found "e\u0301""#),
    (#"[{"\u212b": 1}]"#, #"[{"\u00c5": 1}]"#, #"expected [{"\u212b":1}], found [{"\u00c5":1}]"#),
    (#""a\u00a0b""#, #""a b""#, #"expected "a\u00a0b", found "a b""#),
    (#""a\u200bb""#, #""ab""#, #"expected "a\u200bb", found "ab""#),
    (#""\U0001f600\ufe0f""#, #""\U0001f600""#, #"expected "\ud83d\ude00\ufe0f", found "\ud83d\ude00""#),
    (#""\u00e9""#, #""\u00e8""#, "expected \"\u{e9}\", found \"\u{e8}\""),
  ])
  func `texts that look alike are told apart`(expected: String, found: String, message: String) throws {
    let values = "values: {a: \(found), b: \(expected)}"
    #expect(try report(of: "\(values), given: {raw: 'a'}, expect: {raw: 'b'}").contains("at 0s: \(message)\n"))
  }

  @Test func `long values are shown where they differ`() throws {
    let long = String(repeating: "x", count: 300)
    let text = try report(
      of: "values: {a: \"\(long)1\(long)\", b: \"\(long)2\(long)\"}, given: {raw: 'a'}, expect: {raw: 'b'}")
    let around = String(repeating: "x", count: 40)
    let behind = String(repeating: "x", count: 159)
    #expect(text.contains("at 0s: expected …\(around)2\(behind)…, found …\(around)1\(behind)…\n"))
  }

  @Test func `a code of a failure is compared by its bytes`() throws {
    let test =
      #"error: {code: "e\u0301"}, given: {raw: '#'}, script: [{at: 0s, expect_end: {raw: {failed: {code: "\u00e9"}}}}]"#
    #expect(
      try report(of: test).contains(#"expected failed with code "\u00e9", found failed with code "e\u0301""#))
  }

  @Test func `a signal of the world outside is silent unless it is given`() throws {
    let signals = """
      load: {file: {path: /proc/loadavg, every: 1s}, pipe: [{map: length}]}
      ticks: {interval: 1s}
      """
    #expect(try report(of: "expect: {load: '-----'}", signals) == "")
    #expect(try report(of: "values: {a: abc}, given: {load: '-a'}, expect: {load: '-3---'}", signals) == "")
    #expect(try report(of: "expect: {ticks: '-0123'}", signals) == "")
    #expect(try report(of: "given: {ticks: '5--|'}, expect: {ticks: '5--|--'}", signals) == "")
    #expect(
      try report(of: "script: [{at: 2s, end: {ticks: completed}}], expect: {ticks: '-0(|)--'}", signals) == "")
  }

  @Test func `an hour of virtual time has each second of a timer in it`() throws {
    let signals = "ticks: {interval: 1s}\nlast: {from: ticks, pipe: [{filter: . == 3599}]}"
    #expect(try report(of: "script: [{at: 1h, expect: {last: 3599}}], until: 2h", signals) == "")
    #expect(
      try report(of: "script: [{at: 3599s, expect: {last: 3599}}], until: 2h", signals)
        .contains("at 59m59s: expected 3599, found nothing"))
  }

  private static let signals = """
    raw: {input: {}}
    late: {from: raw, pipe: [{debounce: 2s}]}
    soon: {from: raw, pipe: [{delay: 500ms}]}
    """

  private func report(of test: String, _ signals: String = signals) throws -> String {
    try Self.outcomes(signals, "[{\(test)}]").map(\.report).joined()
  }

  /// Runs the tests of a graph `g`.
  static func outcomes(_ signals: String, _ tests: String) throws -> [TestOutcome] {
    let indented = signals.split(separator: "\n").map { "      \($0)\n" }.joined()
    let configuration = try TestGraph.configuration(
      "signalbox: 1\ngraphs:\n  g:\n    signals:\n\(indented)    tests: \(tests)\n")
    var outcomes: [TestOutcome] = []
    configuration.runTests(restarts: TestGraph.restartsByDefault) { outcomes.append($0) }
    return outcomes
  }
}
