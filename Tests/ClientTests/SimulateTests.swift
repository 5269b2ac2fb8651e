import Foundation
import Testing

struct SimulateTests {
  private static let graph = """
    signalbox: 1
    graphs:
      g:
        signals:
          raw: {input: {}}
          limit: {property: {initial: 5}}
          high: {combine: [raw, limit], pipe: [{map: '.[0] > .[1]'}, skip_repeats]}
          late: {from: high, private: true, pipe: [{debounce: 2s}]}
    """
  private static let events = """
    {"at":"2026-05-01T12:00:00Z","signal":"g.raw","value":3}

    {"at":"2026-05-01T12:00:01.5Z","signal":"g.raw","value":9}

    """

  @Test func `recorded events are replayed, and what comes out is printed`() throws {
    let file = try TemporaryFile(Self.graph)
    let expected = """
      {"event":"next","signal":"g.limit","seq":1,"value":5,"at":"2026-05-01T12:00:00.000000Z"}
      {"event":"next","signal":"g.high","seq":1,"value":false,"at":"2026-05-01T12:00:00.000000Z"}
      {"event":"next","signal":"g.high","seq":2,"value":true,"at":"2026-05-01T12:00:01.500000Z"}

      """
    let result = try Client.run("simulate", file.path, input: Self.events)
    #expect(result.status == 0)
    #expect(result.output == expected)
    #expect(try Client.run("simulate", file.path, input: expected.replacing("high", with: "raw")).status == 0)
    #expect(
      try Client.run("simulate", "--until", "1h", file.path, "g.late", input: Self.events).output
        == "{\"event\":\"next\",\"signal\":\"g.late\",\"seq\":1,\"value\":true,\"at\":\"2026-05-01T12:00:03.500000Z\"}\n"
    )
  }

  @Test func `what the daemon and the client say beside signals' events is passed over`() throws {
    let file = try TemporaryFile(Self.graph)
    let lines = """
      {"event":"connected","epoch":"e","restarted":false,"at":"2026-05-01T12:00:00Z"}
      {"event":"interrupted","signal":"g.raw","reason":"shutting_down","at":"2026-05-01T12:00:00.5Z"}
      {"event":"interrupted","reason":"slow"}
      {"event":"disconnected","reason":"x","at":"2026-05-01T12:00:00.5Z"}
      {"event":"expired","signal":"g.raw","from":1,"oldest":3,"at":"2026-05-01T12:00:00.5Z"}

      """
    let parts = Self.events.components(separatedBy: "\n\n")
    let plain = try Client.run("simulate", file.path, input: Self.events)
    let told = try Client.run("simulate", file.path, input: parts.joined(separator: "\n" + lines))
    #expect(told.status == 0 && told.output == plain.output)
  }

  @Test func `a line that is wrong is told with its number`() throws {
    let file = try TemporaryFile(Self.graph)
    let computed = #"{"at":"2026-05-01T12:00:02Z","signal":"g.high","value":true}"#
    let result = try Client.run("simulate", file.path, input: Self.events + computed)
    #expect(result.status == 65)
    #expect(result.errors == "signalbox: line 4: g.high is computed from g.raw, g.limit: nothing can be sent to it\n")
    #expect(result.output.split(separator: "\n").count == 3)
    #expect(try Client.run("simulate", "--skip-computed", file.path, input: Self.events + computed).status == 0)
    #expect(try Client.run("simulate", file.path, input: "{").status == 65)
    #expect(try Client.run("simulate", file.path, "g.nonesuch").status == 68)
    #expect(try Client.run("simulate", "--until", "soon", file.path).status == 64)
  }
}
