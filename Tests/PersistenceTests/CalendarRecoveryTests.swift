import JSON
import Testing

@testable import Persistence

/// Calendar times in durable graphs, which outlive the daemon; a host begins on 2023-11-14 at 22:13:20 UTC.
@Suite struct CalendarRecoveryTests {
  private static func times(_ missed: String) -> String {
    """
    g:
      durable: true
      signals:
        a: {at: ['23:00', '06:00'], timezone: UTC, missed: \(missed), replay: 100}
    """
  }

  @Test(arguments: ["run", "skip"]) func `times that came while the daemon was down are made up for once, or not`(
    missed: String
  ) throws {
    let host = try DurableHost(Self.times(missed))
    try host.kill(passing: .seconds(10 * 3600))
    let missed = missed == "run" ? ["g.a 1 \"2023-11-15T06:00:00Z\""] : []
    #expect(host.told(of: "g.a") == missed)
    try host.kill()
    #expect(host.told(of: "g.a") == missed)
    host.advance(by: .seconds(53_210))
    #expect(host.told(of: "g.a") == missed + ["g.a \(missed.count + 1) \"2023-11-15T23:00:00Z\""])
  }

  @Test func `a clock that is set forward runs a time once, and one that is set back a little not again`() throws {
    let host = try DurableHost(Self.times("run"))
    host.setClock(by: .seconds(3600))
    let once = ["g.a 1 \"2023-11-14T23:00:00Z\""]
    #expect(host.told(of: "g.a") == once)
    host.setClock(by: .seconds(-1800))
    host.advance(by: .seconds(1200))
    #expect(host.told(of: "g.a") == once)
    try host.kill()
    host.advance(by: .seconds(60))
    #expect(host.told(of: "g.a") == once)
    // By hours: the clock had been wrong.
    host.setClock(by: .seconds(-4 * 3600))
    try host.kill()
    host.advance(by: .seconds(4 * 3600))
    #expect(host.told(of: "g.a") == once + ["g.a 2 \"2023-11-14T23:00:00Z\""])
  }

  @Test func `a clock that was set back while the daemon was down makes no time come twice`() throws {
    let host = try DurableHost(Self.times("run"))
    host.advance(by: .seconds(3000))
    let once = ["g.a 1 \"2023-11-14T23:00:00Z\""]
    #expect(host.told(of: "g.a") == once)
    try host.kill(passing: .seconds(-1800))
    host.advance(by: .seconds(3600))
    #expect(host.told(of: "g.a") == once)
    try host.kill(passing: .seconds(-86_400))
    host.advance(by: .seconds(86_400))
    #expect(host.told(of: "g.a") == once + ["g.a 2 \"2023-11-14T23:00:00Z\""])
  }

  @Test func `a list continues to the end of its period, and ends once if that has passed`() throws {
    let graphs = """
      g:
        durable: true
        signals:
          a: {input: {}}
          b: {from: a, pipe: [{buffer: {every: hour, timezone: UTC}}], replay: 100}
      """
    let host = try DurableHost(graphs)
    host.send(.number(1), to: "g.a")
    host.settle()
    try host.kill(passing: .seconds(60))
    host.send(.number(2), to: "g.a")
    host.settle()
    #expect(host.told(of: "g.b").isEmpty)
    try host.kill(passing: .seconds(3 * 3600))
    #expect(host.told(of: "g.b") == ["g.b 1 [1,2]"])
    host.send(.number(3), to: "g.a")
    host.advance(by: .seconds(3600))
    #expect(host.told(of: "g.b") == ["g.b 1 [1,2]", "g.b 2 [3]"])
  }

  @Test func `the clock that only jitters brings no entries`() throws {
    let host = try DurableHost(Self.times("run"))
    let before = host.present.lastCommit
    for change in [10, -10, 300, -300] { host.setClock(by: .milliseconds(change)) }
    #expect(host.present.lastCommit == before)
  }
}
