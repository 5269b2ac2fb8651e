import GraphTools
import Testing

/// What signals publish to brokers, in tests of virtual time.
@Suite struct `Published messages` {
  /// Runs a test of a signal that publishes, also with restarts between all of its instants.
  private static func report(_ publish: String, _ test: String, input: String = "input: {endable: true}") throws
    -> String
  {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      server: {connections: {home: {mqtt: 'mqtt://a'}, fleet: {nats: 'nats://a'}}}
      graphs:
        g:
          signals:
            raw: {\(input), publish: \(publish)}
          tests: [{\(test)}]
      """)
    var outcomes: [TestOutcome] = []
    configuration.runTests { outcomes.append($0) }
    configuration.runTests(restarts: true) { outcomes.append($0) }
    return outcomes.map(\.report).joined()
  }

  @Test func `are values of a signal of their own`() throws {
    #expect(
      try Self.report(
        "{mqtt: {connection: home, topic: home/alarm}}",
        """
        script: [{at: 0s, send: {raw: 'on'}},
          {at: 0s, expect: {raw.published: {connection: home, topic: home/alarm, payload: 'on'}}},
          {at: 1s, send: {raw: {level: 2}}},
          {at: 1s, expect: {raw.published: {connection: home, topic: home/alarm, payload: {level: 2}}}}]
        """) == "")
  }

  @Test func `go to several brokers, with a computed topic and payload`() throws {
    #expect(
      try Self.report(
        """
        [{mqtt: {connection: home, topic: '"rooms/\\(.room)"', payload: .level}},
          {nats: {connection: fleet, subject: '"rooms.\\(.room)"'}}]
        """,
        """
        script: [{at: 0s, send: {raw: {room: hall, level: 2}}},
          {at: 0s, expect: {raw.published: {connection: home, topic: rooms/hall, payload: 2}}},
          {at: 0s, expect: {raw.published:
            {connection: fleet, subject: rooms.hall, payload: {room: hall, level: 2}}}}]
        """) == "")
  }

  @Test(arguments: ["+", "a/#", "a\\u0000b"])
  func `never go where a value puts a wildcard`(room: String) throws {
    #expect(
      try Self.report(
        "{mqtt: {connection: home, topic: '\"rooms/\\(.)\"'}}",
        #"script: [{at: 0s, send: {raw: "\#(room)"}}, {at: 1s, send: {raw: b}}, {at: 1s, expect: {raw.published: {connection: home, topic: rooms/b, payload: b}}}]"#
      ) == "")
  }

  @Test func `end with their signal`() throws {
    #expect(
      try Self.report(
        "{mqtt: {connection: home, topic: t}}",
        """
        given: {raw: '1-|'},
        expect: {raw.published: 'a-|'},
        values: {a: {connection: home, topic: t, payload: 1}}
        """) == "")
  }
}
