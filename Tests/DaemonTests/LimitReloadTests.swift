import Linux
import Testing

private let graphs = "g: {signals: {a: {input: {}}, b: {input: {}}}}"

@Suite struct `A reload that changes a limit` {
  private func reload(_ daemon: TestDaemon, _ client: TestClient, _ limits: String) throws {
    try daemon.folder.writeConfiguration(graphs, server: "{limits: \(limits)}")
    #expect(try client.ask("reload").hasPrefix(#"{"reply":"reload""#))
  }

  private func held(_ client: TestClient) throws -> UInt64 {
    try #require(try client.ask("stats").number(behind: #""held_bytes":"#))
  }

  @Test(arguments: HostKind.allCases) func `gives a line that was begun before less time`(kind: HostKind) throws {
    let daemon = try kind.start(graphs, server: "{limits: {unfinished: 1h}}")
    let (client, other) = (try daemon.connect(), try daemon.connect())
    try client.write("pi")
    try daemon.iteration { try held(other) == 2 }
    try reload(daemon, other, "{unfinished: 20ms}")
    try client.expectEnd()
  }

  @Test(arguments: HostKind.allCases) func `gives a line that was begun before more time`(kind: HostKind) throws {
    let daemon = try kind.start(graphs, server: "{limits: {unfinished: 500ms}}")
    let (client, other) = (try daemon.connect(), try daemon.connect())
    try client.write("pi")
    let begin = MonotonicInstant.now()
    try daemon.iteration { try held(other) == 2 }
    try reload(daemon, other, "{unfinished: 1h}")
    try daemon.iteration { MonotonicInstant.now() - begin > .milliseconds(600) }
    try client.write("ng\n")
    try client.expect(#"{"reply":"ping"}"#)
  }

  @Test(arguments: HostKind.allCases, ["output", "user.memory"])
  func `takes from a slow client what it may no longer hold, and reports that`(kind: HostKind, limit: String) throws {
    let daemon = try kind.start(graphs)
    let (slow, sender) = (try daemon.connect(), try daemon.connect())
    _ = try slow.ask("subscribe g.a")
    let text = String(repeating: "x", count: 500)
    try sender.send(1..<3001, to: "g.a") { #"["\#(text)",\#($0)]"# }
    try sender.expectNothing()
    #expect(try held(sender) > 900_000)
    try reload(daemon, sender, limit == "output" ? "{output: 200KiB}" : "{user: {memory: 200KiB}}")
    #expect(try held(sender) < 300_000)
    try slow.say("ping")
    let story = Story(try slow.lines(upTo: #"{"reply":"ping"}"#), of: "g.a")
    #expect(story.isExact && story.dropped > 0 && UInt64(story.numbers.count) + story.dropped == 3000)
  }

  @Test(arguments: HostKind.allCases) func `resumes a client that waited for a lower rate`(kind: HostKind) throws {
    let daemon = try kind.start(graphs, server: "{limits: {client: {sends: 1}}}")
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try other.ask("subscribe g.b")
    // At the old rate the second line would wait for a quarter of an hour.
    let values = (1...1000).map(String.init).joined(separator: ",")
    try client.say(#"{"op":"send","signal":"g.a","values":[\#(values)]}"#, "send g.b 1")
    try other.expectNothing()
    try reload(daemon, other, "{client: {sends: 100000}}")
    try other.expect(#"{"event":"next","signal":"g.b","seq":1,"value":1}"#)
  }

  @Test(arguments: HostKind.allCases) func `resumes requests that waited until their client would read`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs, server: "{limits: {output: 50KiB}}")
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try other.ask("subscribe g.b")
    try client.write(String(repeating: "help\n", count: 200) + "send g.b 1\n")
    try other.expectNothing()
    try reload(daemon, other, "{output: 100MiB, user: {memory: 200MiB}}")
    try other.expect(#"{"event":"next","signal":"g.b","seq":1,"value":1}"#)
  }

  @Test(arguments: HostKind.allCases) func `leaves connections and subscriptions that are there already`(
    kind: HostKind
  ) throws {
    let daemon = try kind.start(graphs)
    let (first, second) = (try daemon.connect(), try daemon.connect())
    _ = try first.ask("subscribe g.a")
    _ = try first.ask("subscribe g.b")
    try reload(daemon, second, "{connections: 1, client: {subscriptions: 1}}")
    #expect(try daemon.connect().line().contains("limits.connections"))
    #expect(try first.ask(#"{"op":"subscribe","signal":"g.*"}"#).contains("limits.client.subscriptions"))
    try second.say("send g.a 1")
    try first.expect(#"{"event":"next","signal":"g.a","seq":1,"value":1}"#)
    try reload(daemon, second, "{}")
    #expect(try daemon.connect().ask("ping") == #"{"reply":"ping"}"#)
    #expect(try first.ask(#"{"op":"subscribe","signal":"g.*"}"#).hasPrefix(#"{"reply":"subscribe""#))
  }

  @Test(arguments: HostKind.allCases) func `applies to the lines that come next`(kind: HostKind) throws {
    let daemon = try kind.start(graphs)
    let client = try daemon.connect()
    let long = "send g.a \"\(String(repeating: "x", count: 300))\""
    try reload(daemon, client, "{line: 256, depth: 3}")
    #expect(try client.ask(long).contains("too_long"))
    #expect(try client.ask("send g.a [[[[1]]]]").contains("too_deep"))
    try reload(daemon, client, "{}")
    try client.say(long, "send g.a [[[[1]]]]")
    try client.expectNothing()
  }
}
