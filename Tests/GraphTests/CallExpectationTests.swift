import GraphModel
import GraphTools
import Testing

/// Tests of a configuration that stand in for the programs of actions called by pipes, and expect these calls.
@Suite struct `Expectations of calls` {
  private static func report(_ test: String, _ call: String = "notify") throws -> String {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            raw: {input: {}}
            told: {from: raw, pipe: [{call: \(call)}]}
          actions:
            notify: {exec: [notify], timeout: 10s}
          tests: [{\(test)}]
      """)
    var outcomes: [TestOutcome] = []
    configuration.runTests(restarts: TestGraph.restartsByDefault) { outcomes.append($0) }
    return outcomes.map(\.report).joined()
  }

  @Test func `a script expects the value of each call, and sets what comes of it`() throws {
    let script = """
      script: [
        {at: 1s, send: {raw: 7}}, {at: 1s, expect: {call: {notify: 7}}},
        {at: 2s, send: {raw: 8}},
        {at: 3s, send: {notify: sent}}, {at: 3s, expect: {told: sent}},
        {at: 4s, end: {notify: completed}}, {at: 4s, expect: {call: {notify: 8}}},
        {at: 5s, end: {notify: {failed: {code: failed, message: no}}}}]
      """
    #expect(try Self.report(script.split(separator: "\n").joined(separator: " ")) == "")
  }

  @Test func `diagrams do so too`() throws {
    #expect(
      try Self.report("given: {raw: '78---', notify: '-a|'}, expect: {call: {notify: '7-8--'}, told: '-a---'}") == "")
  }

  @Test func `a call that is not expected, or does not come, fails the test`() throws {
    let unexpected = try Self.report("given: {raw: '7-'}, expect: {call: {notify: '--'}}")
    #expect(unexpected.contains("call of notify") && unexpected.contains("at 0s: expected nothing, found 7"))
    let missing = try Self.report("given: {raw: '78'}, expect: {call: {notify: '78'}}")
    #expect(missing.contains("at 1s: expected 8, found nothing"))
  }

  @Test func `a client's calls are expected likewise`() throws {
    #expect(try Self.report("script: [{at: 1s, call: {notify: 3}}, {at: 1s, expect: {call: {notify: 3}}}]") == "")
  }

  @Test func `time runs for a call as for a program`() throws {
    #expect(
      try Self.report(
        "script: [{at: 0s, send: {raw: 1}}, {at: 0s, send: {raw: 2}}, {at: 0s, expect: {call: {notify: 1}}}, "
          + "{at: 10s, expect: {call: {notify: 2}}}]") == "")
  }

  @Test(arguments: [
    "script: [{at: 1s, expect: {call: {notfy: 1}}}]", "script: [{at: 1s, expect: {call: 1}}]",
    "expect: {call: {notify: '1|'}}", "expect: {call: '1'}",
  ])
  func `an invalid expectation is refused`(test: String) {
    #expect(throws: ConfigurationError.self) { try Self.report(test) }
  }

  @Test func `a signal of that name is expected as any other`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      graphs:
        g:
          signals: {call: {input: {}}}
          tests: [{given: {call: '1-'}, expect: {call: '1-'}}, {script: [{at: 0s, send: {call: {a: 1}}}, {at: 0s, expect: {call: {a: 1}}}]}]
      """)
    var outcomes: [TestOutcome] = []
    configuration.runTests { outcomes.append($0) }
    #expect(outcomes.map(\.report).joined() == "")
  }
}
