import GraphModel
import GraphTools
import Testing

/// Stand-ins of tests for programs and files.
@Suite struct `Stand-ins of tests` {
  @Test(arguments: [
    ("x: {exec: [date]}", "given: {x: '1-2|'}, expect: {x: '1-2|'}"),
    ("x: {tail: /log, cold: true}", "given: {x: '1-2|'}, expect: {x: '1-2|'}"),
    ("x: {file: /f, lazy: true, pipe: [{map: . + 1}]}", "given: {x: '1-2|'}, expect: {x: '2-3|'}"),
    ("x: {from: {exec: [date]}, pipe: [{map: . + 1}]}", "given: {x: '1-2|'}, expect: {x: '2-3|'}"),
    ("x: {merge: [in, {exec: [date]}]}", "given: {in: '1--4|', x: '-2|'}, expect: {x: '12-4|'}"),
    (
      "x: {from: in, pipe: [{with_latest: {file: /f}}, {map: add}]}",
      "given: {in: '-1-1', x: '1-2'}, expect: {x: '-2-3'}"
    ),
    (
      "x: {from: in, pipe: [{flat_map: {latest: {exec: [date], pipe: [{map: . + $value}]}}}]}",
      "given: {in: '1---2', x: '-1-2-1'}, expect: {x: '-2-3-3'}"
    ),
    (
      "x: {from: in, pipe: [{flat_map: {merge: {exec: [date], pipe: [{map: . + $value}]}}}]}",
      "given: {in: '12', x: '--1|'}, expect: {x: '--(23)'}"
    ),
    ("x: {exec: [date], cold: true}\ny: {merge: [x, x]}", "given: {x: '1-2|'}, expect: {y: '(11)-(22)|', x: '1-2|'}"),
  ])
  func `a test speaks for programs and files, wherever they stand`(signals: String, test: String) throws {
    #expect(try report(of: test, "in: {input: {endable: true}}\n\(signals)") == "")
  }

  @Test func `each run of a cold signal receives what is emitted while it is there`() throws {
    let report = try GraphTestTests.outcomes(
      "x: {exec: [date], cold: true}",
      """

            - script:
              - {at: 1s, subscribe: {as: one, to: x}}
              - {at: 2s, send: {x: 1}}
              - {at: 2s, expect: {one: 1}}
              - {at: 3s, subscribe: {as: two, to: x}}
              - {at: 4s, send: {x: 2}}
              - {at: 4s, expect: {one: 2}}
              - {at: 4s, expect: {two: 2}}
              - {at: 5s, unsubscribe: one}
              - {at: 6s, end: {x: completed}}
              - {at: 6s, expect_end: {two: completed}}
      """
    ).map(\.report).joined()
    #expect(report == "")
  }

  @Test(arguments: [
    "x: {exec: [date], pipe: [{retry: {delay: 1s}}]}", "x: {exec: [date], cold: true, pipe: [{retry: {delay: 1s}}]}",
    "x: {from: {exec: [date], pipe: [{retry: {delay: 1s}}]}}",
    "in: {input: {}}\nx: {merge: [in, {exec: [date], pipe: [{retry: {delay: 1s}}]}]}",
  ])
  func `what is started again is spoken for again, once it runs`(signals: String) throws {
    let script = """
      {at: 0s, send: {x: 1}}, {at: 0s, expect: {x: 1}}, {at: 1s, end: {x: failed}}, {at: 3s, send: {x: 2}}, \
      {at: 3s, expect: {x: 2}}, {at: 4s, end: {x: interrupted}}
      """
    let last = signals.contains("merge") ? "" : ", {at: 4s, expect_end: {x: interrupted}}"
    #expect(try report(of: "script: [\(script)\(last)]", signals) == "")
    let early = "{at: 0s, end: {x: failed}}, {at: 500ms, send: {x: 1}}, {at: 9s, subscribe: {as: one, to: x}}"
    #expect(
      try report(of: "script: [\(early)], expect: {x: '-'}", signals)
        .contains("at 500ms: no stub is running for this event"))
  }

  @Test(arguments: [
    "x: {exec: [date], cold: true}", "x: {tail: /log, lazy: true}",
    "y: {input: {}}\nx: {from: y, pipe: [{flat_map: {latest: {exec: [date]}}}]}",
  ])
  func `emitting something where nothing runs that could emit it is a failure`(signals: String) throws {
    let report = try report(of: "given: {x: '1'}, expect: {other: '-'}", "other: {input: {}}\n\(signals)")
    #expect(report.contains("x: at 0s: no stub is running for this event"))
  }

  @Test(arguments: [
    (
      "x: {merge: [{exec: [date]}, {tail: /log}]}",
      "\"x\" has several sources, exec, tail: declare each as a named signal, and stub that"
    ),
    ("y: {input: {}}\nx: {from: y}", "\"x\" is computed from y; give that signal, and expect this one"),
    (
      "y: {input: {}}\nx: {merge: [y, {interval: 1s}]}",
      "\"x\" is computed from y; give that signal, and expect this one"
    ),
  ])
  func `what no stub can emit for is refused`(signals: String, message: String) throws {
    do {
      _ = try report(of: "given: {x: '1'}, expect: {x: '1'}", signals)
      Issue.record("it was accepted")
    } catch ConfigurationError.invalid(let diagnostics) {
      #expect(diagnostics.list.map(\.text) == [message])
    }
  }

  @Test func `a test sees the graphs that it names, and those that are sent to`() throws {
    let text = """
      signalbox: 1
      graphs:
        a:
          signals:
            in: {input: {}}
            out: {from: in, pipe: [{group_by: {key: ., max_keys: 9, pipe: [{send_to: b.in}]}}]}
            back: {input: {}}
          tests:
            - {given: {in: '1', c.in: '2'}, expect: {out: '1', c.in: '2', back: '1'}}
        b:
          signals:
            in: {input: {}}
            out: {from: in, pipe: [{send_to: a.back}]}
        c:
          signals: {in: {input: {}}}
      """
    var reports: [String] = []
    try TestGraph.configuration(text).runTests(restarts: TestGraph.restartsByDefault) { reports.append($0.report) }
    #expect(reports == [""])
  }

  private func report(of test: String, _ signals: String) throws -> String {
    try GraphTestTests.outcomes(signals, "\n      - {\(test)}").map(\.report).joined()
  }
}
