import GraphEngine
import GraphModel
import GraphTools
import Testing

/// The effect of a signal's ending on its dependents.
@Suite struct `Endings of others` {
  /// The results of `-1-2-3`, when the other emits 7, ends, and is disconnected: completed, interrupted, failed.
  @Test(arguments: [
    ("with_latest: other", "-a-b-c", "-a-b-c", "-a#"),
    ("take_until: {signal: {from: other, pipe: [{filter: . > 9}]}}", "-1|", "-1-2-3", "-1#"),
    ("skip_until: {signal: {from: other, pipe: [{filter: . > 9}]}}", "---2-3", "------", "--#"),
    ("throttle: {while: {from: other, pipe: [{map: . > 9}]}}", "-1-2-3", "-1-2-3", "-1#"),
    ("merge: other", "71-2-3", "71-2-3", "71#"),
    ("sample: {on: other}", "--|", "--!", "--#"),
    ("buffer: {on: other}", "-", "--!", "--#"),
    ("take_until_replacement: {from: other, pipe: [{filter: . > 9}]}", "-1|", "-1!", "-1#"),
    ("sequence_equal: other", "-(f|)", "-(f|)", "-(f|)"),
  ])
  func `an operator takes the ending of the other signal as ReactiveSwift does`(
    step: String, completed: String, interrupted: String, failed: String
  ) throws {
    for (sign, expected) in [("|", completed), ("!", interrupted), ("#", failed)] {
      let test = """
        given: {other: '7-\(sign)', in: '-1-2-3'}, values: {a: [1, 7], b: [2, 7], c: [3, 7]}, expect: {out: '\(expected)'}
        """
      let signals = """
        in: {input: {}}
        other: {input: {}}
        out: {from: in, pipe: [{\(step)}]}
        """
      #expect(try report(of: test, signals) == "", "after \(sign)")
    }
  }

  @Test(arguments: [
    ("combine", "!"), ("zip", "!"), ("combine_last", "!"), ("merge", "-"), ("race", "-"), ("concat", "-"),
  ])
  func `of several signals an interruption ends those that need all of them`(source: String, expected: String) throws {
    let signals = """
      a: {input: {}}
      b: {input: {}}
      out: {\(source): [a, b], pipe: [{ignore_values: }]}
      """
    #expect(try report(of: "given: {a: '1-', b: '2!'}, expect: {out: '-\(expected)'}", signals) == "")
  }

  @Test(arguments: ["1, 2", "1, 2, 3", "1", "2, 1, 3", ""], ["1, 2", "1, 2, 3", ""])
  func `sequences that end in one turn are equal if they are as long`(one: String, other: String) throws {
    for trait in ["", ", cold: true"] {
      let graph = try TestGraph(
        signals: """
          a: {values: [\(one)]\(trait)}
          b: {values: [\(other)]\(trait)}
          out: {from: a, pipe: [{sequence_equal: b}]}
          """)
      #expect(graph.said(by: "out") == ["out#1 \(one == other)", "out completed"])
    }
  }

  @Test(arguments: ["timer: 1s", "from: stop", "empty: true"])
  func `delay_when holds nothing that it has released`(trigger: String) throws {
    let graph = try TestGraph(
      signals: """
        in: {input: {}}
        stop: {input: {endable: true}}
        out: {from: in, pipe: [{delay_when: {\(trigger)}}]}
        """)
    for _ in 1...999 { try graph.send("1", to: "in") }
    graph.advance(to: 2)
    try graph.runtime.end(graph.signal("stop"), with: .interrupted)
    for _ in 1...1000 { try graph.send("1", to: "in") }
    graph.advance(to: 4)
    #expect(graph.signal("out").ending == nil)
  }

  private func report(of test: String, _ signals: String) throws -> String {
    try GraphTestTests.outcomes(signals, "\n      - {\(test)}").map(\.report).joined()
  }
}
