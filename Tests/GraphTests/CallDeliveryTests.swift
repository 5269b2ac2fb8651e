import GraphModel
import GraphTools
import Testing

/// How calls of pipes deliver: retries, what is given up, order, batches.
@Suite struct `Delivery of calls` {
  /// Runs a test of a graph whose calls are made with some options, also with restarts between all of its instants.
  private static func report(_ call: String, _ test: String) throws -> String {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      server: {connections: {hooks: {http: 'http://a'}}}
      graphs:
        g:
          signals:
            raw: {input: {endable: true}}
            lost: {input: {}}
            told: {from: raw, pipe: [{call: {action: notify, \(call)}}]}
          actions:
            notify: {http: {connection: hooks, body: .}}
          tests: [{\(test)}]
      """)
    var outcomes: [TestOutcome] = []
    configuration.runTests { outcomes.append($0) }
    configuration.runTests(restarts: true) { outcomes.append($0) }
    return outcomes.map(\.report).joined()
  }

  private static let failure = "end: {notify: {failed: {code: connect, message: away}}}"

  @Test(arguments: ["times: forever", "times: 9"])
  func `delays grow by the backoff, up to the longest`(times: String) throws {
    #expect(
      try Self.report(
        "retry: {\(times), delay: 1s, backoff: 2, max_delay: 3s}",
        """
        script: [{at: 0s, send: {raw: 7}}, {at: 0s, expect: {call: {notify: 7}}}, {at: 0s, \(Self.failure)},
          {at: 1s, expect: {call: {notify: 7}}}, {at: 2s, \(Self.failure)},
          {at: 4s, expect: {call: {notify: 7}}}, {at: 5s, \(Self.failure)},
          {at: 8s, expect: {call: {notify: 7}}}, {at: 9s, \(Self.failure)},
          {at: 12s, expect: {call: {notify: 7}}}, {at: 13s, send: {notify: ok}}, {at: 13s, expect: {told: ok}}]
        """) == "")
  }

  @Test func `the old name of the backoff still works, and both are an error`() throws {
    #expect(
      try Self.report(
        "retry: {times: 2, delay: 1s, factor: 3}",
        """
        script: [{at: 0s, send: {raw: 7}}, {at: 0s, expect: {call: {notify: 7}}}, {at: 0s, \(Self.failure)},
          {at: 1s, expect: {call: {notify: 7}}}, {at: 2s, \(Self.failure)}, {at: 5s, expect: {call: {notify: 7}}}]
        """) == "")
    #expect(throws: (any Error).self) {
      try Self.report("retry: {times: 2, backoff: 2, factor: 3}", "given: {raw: '1'}")
    }
  }

  @Test func `only failures that are named are tried again`() throws {
    #expect(
      try Self.report(
        "retry: {times: 9, delay: 1s, on: [timeout, 429, 5xx]}, dead_letter: lost",
        """
        script: [{at: 0s, send: {raw: 7}}, {at: 0s, expect: {call: {notify: 7}}}, {at: 0s, \(Self.failure)},
          {at: 0s, expect: {lost: {value: 7, error: {code: connect, message: away}}}},
          {at: 5s, send: {raw: 8}}, {at: 5s, expect: {call: {notify: 8}}},
          {at: 5s, end: {notify: {failed: {code: timeout, message: late}}}}, {at: 6s, expect: {call: {notify: 8}}}]
        """) == "")
  }

  @Test(arguments: [(503, true), (404, false)])
  func `a failure in a test may have a status`(status: Int, isRepeated: Bool) throws {
    let again = isRepeated ? "{at: 1s, expect: {call: {notify: 7}}}" : "{at: 1s, send: {lost: 1}}"
    #expect(
      try Self.report(
        "retry: {times: 1, on: [5xx]}",
        """
        script: [{at: 0s, send: {raw: 7}}, {at: 0s, expect: {call: {notify: 7}}},
          {at: 0s, expect: {notify.errors: {code: http, message: '', status: \(status)}}},
          {at: 0s, end: {notify: {failed: {code: http, status: \(status)}}}}, \(again)]
        """) == "")
    #expect(throws: ConfigurationError.self) {
      try Self.report("retry: 1", "script: [{at: 0s, end: {raw: {failed: {code: x, status: 1}}}}]")
    }
  }

  @Test func `what is given up goes to an input with its error`() throws {
    #expect(
      try Self.report(
        "retry: 1, dead_letter: lost",
        """
        script: [{at: 0s, send: {raw: {a: 1}}}, {at: 0s, \(Self.failure)}, {at: 2s, \(Self.failure)},
          {at: 2s, expect: {lost: {value: {a: 1}, error: {code: connect, message: away}}}},
          {at: 3s, send: {raw: 2}}, {at: 3s, send: {notify: x}}, {at: 3s, expect: {told: x}}]
        """) == "")
  }

  @Test func `others are called for meanwhile where order is none`() throws {
    let script = { (second: String) in
      """
      script: [{at: 0s, send: {raw: 1}}, {at: 0s, expect: {call: {notify: 1}}}, {at: 0s, \(Self.failure)},
        {at: 1s, send: {raw: 2}}, \(second)]
      """
    }
    #expect(
      try Self.report(
        "retry: {times: 5, delay: 10s}",
        script(
          "{at: 10s, expect: {call: {notify: 1}}}, {at: 11s, end: {notify: completed}}, "
            + "{at: 11s, expect: {call: {notify: 2}}}"))
        == "")
    #expect(
      try Self.report(
        "order: none, retry: {times: 5, delay: 10s}",
        script(
          "{at: 1s, expect: {call: {notify: 2}}}, {at: 2s, end: {notify: completed}}, "
            + "{at: 10s, expect: {call: {notify: 1}}}"))
        == "")
  }

  @Test func `one that is stuck does not block others where order is none, also without retry`() throws {
    let script = """
      script: [{at: 0s, send: {raw: 1}}, {at: 0s, expect: {call: {notify: 1}}}, {at: 1s, send: {raw: 2}},
        {at: 1s, expect: {call: {notify: 2}}}, {at: 2s, send: {raw: 3}}
      """
    #expect(try Self.report("order: none", script + ", {at: 2s, expect: {call: {notify: 3}}}]") == "")
    #expect(try Self.report("order: none, retry: 3", script + ", {at: 2s, expect: {call: {notify: 3}}}]") == "")
    #expect(
      try Self.report(
        "order: none, concurrent: 2",
        script + ", {at: 3s, end: {notify: completed}}, {at: 3s, expect: {call: {notify: 3}}}]") == "")
    #expect(
      try Self.report(
        "order: kept",
        """
        script: [{at: 0s, send: {raw: 1}}, {at: 0s, expect: {call: {notify: 1}}}, {at: 1s, send: {raw: 2}},
          {at: 5s, end: {notify: completed}}, {at: 5s, expect: {call: {notify: 2}}}]
        """
      ) == "")
  }

  @Test(arguments: ["concurrent: 2", "order: none, concurrent: 2, strategy: latest", "order: none, strategy: first"])
  func `the number of concurrent calls and their order go with strategies that have several`(call: String) {
    #expect(throws: ConfigurationError.self) { try Self.report(call, "given: {raw: '1'}") }
  }

  @Test func `a batch ends at a count, a time or so many bytes, and with the signal`() throws {
    #expect(
      try Self.report(
        "batch: {count: 3, time: 5s}",
        """
        script: [{at: 0s, send: {raw: 1}}, {at: 1s, send: {raw: 2}}, {at: 2s, send: {raw: 3}},
          {at: 2s, expect: {call: {notify: [1, 2, 3]}}}, {at: 2s, end: {notify: completed}},
          {at: 10s, send: {raw: 4}}, {at: 15s, expect: {call: {notify: [4]}}}, {at: 16s, end: {notify: completed}},
          {at: 20s, send: {raw: 5}}, {at: 21s, end: {raw: completed}}, {at: 21s, expect: {call: {notify: [5]}}}]
        """) == "")
    #expect(
      try Self.report(
        "batch: {bytes: 10B}",
        """
        script: [{at: 0s, send: {raw: abc}}, {at: 0s, send: {raw: de}},
          {at: 0s, expect: {call: {notify: [abc]}}}, {at: 1s, end: {notify: completed}},
          {at: 2s, send: {raw: abcd}}, {at: 2s, expect: {call: {notify: [de]}}}]
        """) == "")
  }

  @Test func `a batch is tried again as a whole`() throws {
    #expect(
      try Self.report(
        "batch: {count: 2}, retry: 1, dead_letter: lost",
        """
        script: [{at: 0s, send: {raw: 1}}, {at: 0s, send: {raw: 2}}, {at: 0s, \(Self.failure)},
          {at: 1s, expect: {call: {notify: [1, 2]}}}, {at: 2s, \(Self.failure)},
          {at: 2s, expect: {lost: {value: [1, 2], error: {code: connect, message: away}}}},
          {at: 0s, expect: {call: {notify: [1, 2]}}}]
        """) == "")
  }
}
