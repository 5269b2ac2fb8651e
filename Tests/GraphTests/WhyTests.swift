import GraphTools
import Testing

/// A failing test explains why a value was emitted, or why it was not.
struct WhyTests {
  /// Places are reduced to the line, which counts the signals.
  struct Story: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let signals: String
    let test: String
    let lines: [String]

    init(_ description: String, _ signals: String, _ test: String, _ lines: String) {
      (testDescription, self.signals, self.test) = (description, signals, test)
      self.lines = lines.split(separator: "\n").map(String.init)
    }
  }

  static let stories = [
    Story(
      "the operators that made it, what each was given, and what it remembered",
      """
      t: {input: {}}
      limit: {property: {initial: 30}}
      mean: {from: t, pipe: [{window: {count: 2}}, {map: add / length}]}
      hot: {combine: {t: mean, limit: limit}, pipe: [{map: .t > .limit}, skip_repeats]}
      """, "given: {t: '-abc'}, values: {a: 29, b: 31, c: 33}, expect: {hot: '-f--'}",
      """
      g.hot 2: true at 3s
      ← skip_repeats: true @4
        · remembered false, skip_repeats at 1s
      ← map: true @4
      ← combine: {"t":32,"limit":30} @4
        · remembered 30, g.limit 1 at 0s
        · remembered 30, g.mean 2 at 2s
      ← g.mean 3: 32 at 3s
      ← map: 32 @3
      ← window: [31,33] @3
        · remembered 31, g.t 2 at 2s
        · remembered 29, g.t 1 at 1s
      ← g.t 3: 33 at 3s
      ← sent to g.t at 3s
      """),
    Story(
      "the timer that released a value that was held", "t: {input: {}}\nlate: {from: t, pipe: [{debounce: 2s}]}",
      "given: {t: '12---'}, expect: {late: '-----'}",
      """
      g.late 1: 2 at 3s
      ← debounce: 2 @2
        ← timer fired at 3s
        ← g.t 2: 2 at 1s
        ← sent to g.t at 1s
      """),
    Story(
      "the value that has replaced an equal one that was held",
      "t: {input: {}}\nlate: {from: t, pipe: [{map: . > 1}, {debounce: 2s}]}",
      "given: {t: '235---'}, expect: {late: '------'}",
      """
      g.late 1: true at 4s
      ← debounce: true @2
        ← timer fired at 4s
        ← map: true @2
        ← g.t 3: 5 at 2s
        ← sent to g.t at 2s
      """),
    Story(
      "the latest of equal values that a combination holds",
      "t: {input: {}}\nu: {input: {}}\nboth: {combine: {t: t, u: u}}",
      "given: {t: '11--', u: '---2'}, expect: {both: '----'}",
      """
      g.both 1: {"t":1,"u":2} at 3s
      ← combine: {"t":1,"u":2} @3
        · remembered 1, g.t 2 at 1s
      ← g.u 1: 2 at 3s
      ← sent to g.u at 3s
      """),
    Story(
      "the value that an end has released, which has replaced an equal one",
      "t: {input: {}}\nlast: {from: t, pipe: [last]}", "given: {t: '1-1-|'}, expect: {last: '-----'}",
      """
      g.last 1: 1 at 4s
      ← last: 1 @2
        · remembered 1, g.t 2 at 2s
      ← g.t: completed at 4s
      ← end of g.t, sent at 4s
      """),
    Story(
      "the state of a fold, which it put out before, though what came is the same",
      "t: {input: {}}\nsum: {from: t, pipe: [{scan: {initial: 0, next: $state + .}}]}",
      "given: {t: '123'}, expect: {sum: '13-'}",
      """
      g.sum 3: 6 at 2s
      ← scan: 6 @2
        · remembered 3, scan at 1s
      ← g.t 3: 3 at 2s
      ← sent to g.t at 2s
      """),
    Story(
      "the value that had chosen the signal",
      "t: {input: {}}\nu: {input: {}}\nchosen: {from: t, pipe: [{flat_map: {latest: u}}]}",
      "given: {t: '1--', u: '--7'}, expect: {chosen: '---'}",
      """
      g.chosen 1: 7 at 2s
      ← flat_map: 7 @3
        · chosen by 1, g.t 1 at 0s
      ← g.u 1: 7 at 2s
      ← sent to g.u at 2s
      """),
    Story(
      "the signal that sent it", "t: {input: {}}\nout: {input: {}}\nback: {from: t, pipe: [{send_to: out}]}",
      "given: {t: '1'}, expect: {out: '-'}",
      """
      g.out 1: 1 at 0s
      ← sent to g.out by a pipe
      ← g.t 1: 1 at 0s
      ← sent to g.t at 0s
      """),
    Story(
      "how an end came about", "t: {input: {}}\nlate: {from: t, pipe: [{timeout: {gap: 2s}}]}",
      "given: {t: '1---'}, expect: {late: '1---'}",
      """
      g.late: failed: timed out at 2s
      ← timeout: failed: timed out @2
      ← timer fired at 2s
      """),
    Story(
      "once, of a source that is met twice",
      "t: {input: {}}\nboth: {combine: {a: t, b: {from: t, pipe: [{map: . + 1}]}}}",
      "given: {t: '1'}, expect: {both: '-'}",
      """
      g.both 1: {"a":1,"b":2} at 0s
      ← combine: {"a":1,"b":2} @2
        ← g.t 1: 1 at 0s
        ← sent to g.t at 0s
        ← map: 2 @2
        ← g.t 1: 1 at 0s, as above
      """),
    Story(
      "the operators of a group, and what that group remembered",
      "t: {input: {}}\nsums: {from: t, pipe: [{group_by: {key: . % 2, max_keys: 2, pipe: [{scan: {initial: 0, next: $state + .}}]}}]}",
      "given: {t: '123'}, expect: {sums: '12-'}",
      """
      g.sums 3: 4 at 2s
      ← group_by: 4 @2
        · chosen by 1, g.t 1 at 0s
      ← scan: 4 @2
        · remembered 1, scan at 0s
      ← g.t 3: 3 at 2s
      ← sent to g.t at 2s
      """),
    Story(
      "the run of a cold signal, which it has to itself",
      "t: {input: {}}\ncold: {from: t, cold: true, pipe: [{map: . + 1}]}\ntwice: {from: cold, pipe: [{map: . * 2}]}",
      "given: {t: '1'}, expect: {twice: '-'}",
      """
      g.twice 1: 4 at 0s
      ← map: 4 @3
      ← map: 2 @2
      ← g.t 1: 1 at 0s
      ← sent to g.t at 0s
      """),
    Story(
      "the values that wait in several queues, each with its own signal",
      "a: {input: {}}\nb: {input: {}}\nc: {input: {}}\nall: {zip: {a: a, b: b, c: c}}",
      "given: {a: '1-23', b: '----5', c: '-7'}, expect: {all: '-----'}",
      """
      g.all 1: {"a":1,"b":5,"c":7} at 4s
      ← zip: {"a":1,"b":5,"c":7} @4
        · remembered 7, g.c 1 at 1s
        · remembered 3, g.a 3 at 3s
        · remembered 2, g.a 2 at 2s
        · remembered 1, g.a 1 at 0s
      ← g.b 1: 5 at 4s
      ← sent to g.b at 4s
      """),
    Story(
      "the event with which something was counted",
      "t: {input: {}}\nstates: {from: t, pipe: [{scan_map: {initial: 0, next: '[$state + 1, $state]'}}]}",
      "given: {t: '78'}, expect: {states: '0-'}",
      """
      g.states 2: 1 at 1s
      ← scan_map: 1 @2
        · remembered 1, with g.t 1 at 0s
      ← g.t 2: 8 at 1s
      ← sent to g.t at 1s
      """),
    Story(
      "the values that were known before, each once, the newest first",
      "t: {input: {}}\nnew: {from: t, pipe: [{unique: {max_keys: 100}}]}",
      "given: {t: '12345'}, expect: {new: '1234-'}",
      """
      g.new 5: 5 at 4s
      ← unique: 5 @2
        · remembered 4, unique at 3s
        · remembered 3, unique at 2s
        · remembered 2, unique at 1s
        · remembered 1, unique at 0s
      ← g.t 5: 5 at 4s
      ← sent to g.t at 4s
      """),
  ]

  @Test(arguments: [
    ("5", "sent to g.in by root, connection 5"), (":1.42", "sent to g.in by root, connection :1.42"),
    ("adapter 5", "sent to g.in by an adapter run by root, connection 5"),
  ])
  func `a value that an adapter passes on was not sent by its user`(connection: String, text: String) {
    let origin = EntryOrigin(.sent, signal: "g.in", user: 0, connection: connection)
    #expect(origin.named { _ in "root" }.text == text)
  }

  @Test(arguments: stories) func `a value is explained with`(story: Story) throws {
    let lines = try why(story.test, story.signals, "  why:")
    #expect(lines == story.lines)
  }

  @Test(arguments: [
    ("{filter: . > 5}", "'-1'", "  filter of g.s emitted nothing for 1 @2"),
    ("skip_repeats", "'11'", "  skip_repeats of g.s emitted nothing for 1, remembering 1 @2"),
    ("{debounce: 5s}", "'-1'", "  debounce of g.s holds 1 until 6s @2"),
    ("{map: .a.b}", "'-1'", "  map of g.s rejected 1: Cannot index number with string (\"a\") @2"),
    ("{take_last: 2}", "'-1'", "  take_last of g.s emitted nothing for 1 @2"),
    ("{sample: {every: 10s}}", "'-1'", "  sample of g.s holds 1 until 10s @2"),
  ])
  func `a silence is explained with the operator that let nothing through`(
    step: String, given: String, line: String
  ) throws {
    let first = step == "skip_repeats" ? "1" : "-"
    let test = "given: {t: \(given)}, expect: {s: '\(first)x'}, values: {x: 99}"
    let lines = try why(test, "t: {input: {}}\ns: {from: t, pipe: [\(step)]}", "  why nothing:")
    #expect(lines.contains(line), "\(lines)")
  }

  @Test func `a silence without anything that entered is explained as such`() throws {
    let signals = "t: {input: {}}\ns: {from: t, pipe: [{map: . + 1}]}"
    let lines = try why("given: {}, expect: {s: '-x'}", signals, "  why nothing:")
    #expect(lines == ["no input of g.s in the recorded period"])
  }

  @Test func `of a silence what came nearest stands first, however much came later`() throws {
    let signals = """
      raw: {input: {}}
      hot: {from: raw, pipe: [{map: . > 80}, skip_repeats]}
      severity: {from: hot, pipe: [{filter: .}, {map: empty}]}
      alarm: {from: severity}
      """
    let test = "given: {raw: 'abcde'}, values: {a: 20, b: 95, c: 96, d: 97, e: 98}, expect: {alarm: '----x'}"
    let lines = try why(test, signals, "  why nothing:")
    #expect(
      lines == [
        "sent to g.raw at 1s", "  map of g.severity emitted nothing for true @3", "sent to g.raw at 0s",
        "  filter of g.severity emitted nothing for false @3", "sent to g.raw at 4s",
        "  and 2 more earlier ones with the same outcome",
        "  skip_repeats of g.hot emitted nothing for true, remembering true @2",
      ])
  }

  @Test func `operators that only pass a value on stand in one line`() throws {
    let signals = "t: {input: {}}\nbig: {from: t, pipe: [{map: . + 1}, {filter: . > 1}, {filter: . > 0}]}"
    let lines = try why("given: {t: '1'}, expect: {big: '-'}", signals, "  why:")
    #expect(
      lines == [
        "g.big 1: 2 at 0s", "← passed on by filter, filter", "← map: 2 @2", "← g.t 1: 1 at 0s", "← sent to g.t at 0s",
      ])
  }

  @Test func `a chain of a thousand turns is explained up to a bound, and ends with a note that it continues`() throws {
    let signals = """
      t: {input: {}, pipe: [{filter: . < 990}, {map: . + 1}, {send_to: t}]}
      last: {from: t, pipe: [{filter: . == 990}]}
      """
    let lines = try why("given: {t: '1'}, expect: {last: '-'}", signals, "  why:")
    #expect(lines.first == "g.last 1: 990 at 0s")
    #expect(lines.last?.hasSuffix(", and so on") ?? false)
    #expect(lines.count > 300 && lines.count <= 500, "\(lines.count)")
  }

  /// Returns the explanation of the first failure.
  private func why(_ test: String, _ signals: String, _ head: String) throws -> [String] {
    let indented = signals.split(separator: "\n").map { "      \($0)\n" }.joined()
    let (configuration, places) = try TestGraph.configurationWithPlaces(
      "signalbox: 1\ngraphs:\n  g:\n    signals:\n\(indented)    tests: [{\(test)}]\n")
    var lines: [String] = []
    configuration.runTests(explaining: places) { lines += $0.report.split(separator: "\n").map(String.init) }
    guard let start = lines.firstIndex(of: head) else {
      Issue.record("nothing is explained: \(lines)")
      return []
    }
    return lines[(start + 1)...].prefix { $0.hasPrefix("    ") }.map { line in
      String(line.dropFirst(4)).replacing(#/ +test.yaml:(\d+):\d+$/#) { " @\((Int($0.1) ?? 0) - 4)" }
    }
  }
}
