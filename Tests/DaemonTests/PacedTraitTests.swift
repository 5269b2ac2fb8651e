import Testing

@testable import Daemon

/// `every` on signals with all kinds of retention, and across their transitions.
@Suite struct `Values that wait for their time` {
  private static let kept = [
    "", ", hold: true", ", replay: 3", ", replay: {count: 3, for: 1ms}", ", lazy: true, hold: true",
  ]
  private static let changes = kept.flatMap { before in
    (kept + [", cold: true"]).map { (before, $0) }
  }

  private static func graphs(_ traits: String, map: String = ".") -> String {
    "  g: {signals: {a: {input: {endable: true}}, l: {from: a, pipe: [{map: \(map)}]\(traits)}}}"
  }

  private static func subscribe(_ every: String, to signal: String = "g.l") -> String {
    #"{"op":"subscribe","signal":"\#(signal)","every":"\#(every)"}"#
  }

  private static func next(_ number: Int, _ value: Int) -> String {
    #"{"event":"next","signal":"g.l","seq":\#(number),"value":\#(value)}"#
  }

  @Test(arguments: kept) func `are the newest of each span, and none comes twice`(traits: String) throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(traits))
    let (client, sender) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask(Self.subscribe("50ms"))
    try sender.say(#"{"op":"send","signal":"g.a","values":[1,2,3]}"#)
    try client.expect(Self.next(1, 1), Self.next(3, 3))
    try sender.say("send g.a 4")
    try client.expect(Self.next(4, 4))
    // Nothing waits at the end of this interval, so the next value passes at once.
    try client.expectNothing()
    _ = try sender.ask(#"{"op":"subscribe","signal":"g.l","heartbeat":"100ms","replay":0}"#)
    #expect(try sender.line().contains("alive"))
    try sender.say("unsubscribe g.l", "send g.a 5", "send g.a 6")
    try client.expect(Self.next(5, 5), Self.next(6, 6))
  }

  @Test(arguments: kept) func `carry the time at which they came`(traits: String) throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(traits))
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask(#"{"op":"subscribe","signal":"g.l","every":"100ms","timestamps":true}"#)
    _ = try other.ask(#"{"op":"subscribe","signal":"g.l","timestamps":true}"#)
    try other.say("send g.a 1", "send g.a 2")
    #expect(try client.lines(2) == other.lines(2))
  }

  @Test func `are none for a client that has what it asked for, though a cold run has more`() throws {
    let daemon = try HostKind.inProcess.start("  g: {signals: {l: {values: [1, 2, 3], cold: true}}}")
    let client = try daemon.connect()
    try client.say(#"{"op":"subscribe","signal":"g.l","every":"5ms","take":1}"#)
    _ = try client.line()
    try client.expect(Self.next(1, 1), #"{"event":"ended","signal":"g.l","reason":"take"}"#)
    // Longer than the interval that another value would have opened.
    try client.say(#"{"op":"subscribe","signal":"g.l","every":"20ms","take":2}"#)
    _ = try client.line()
    try client.expect(Self.next(1, 1), Self.next(3, 3), #"{"event":"ended","signal":"g.l","reason":"take"}"#)
  }

  @Test(arguments: kept) func `come before the ending`(traits: String) throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(traits))
    let client = try daemon.connect()
    _ = try client.ask(Self.subscribe("1h"))
    try client.say("send g.a 1", "send g.a 2", "send g.a 3")
    try client.say(#"{"op":"send","signal":"g.a","event":"completed"}"#)
    try client.expect(Self.next(1, 1), Self.next(3, 3), #"{"event":"completed","signal":"g.l"}"#)
    try client.expectNothing()
  }

  @Test(arguments: changes) func `survive a reload that restarts their signal`(before: String, after: String) throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(before))
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask(Self.subscribe("200ms"))
    try other.say("send g.a 1", "send g.a 2", "send g.a 3")
    try client.expect(Self.next(1, 1))
    try daemon.folder.writeConfiguration(Self.graphs(after, map: ". * 10"))
    #expect(try other.ask("reload").contains(#""generation":2"#))
    try client.expect(Self.next(3, 3))
    try other.say("send g.a 4")
    try client.expect(Self.next(4, 40))
    try client.expectNothing()
  }

  @Test(arguments: kept) func `are replaced by newer ones that come after a reload in the same span`(traits: String)
    throws
  {
    let daemon = try HostKind.inProcess.start(Self.graphs(traits))
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask(Self.subscribe("1h"))
    try other.say("send g.a 1", "send g.a 2")
    try client.expect(Self.next(1, 1))
    try daemon.folder.writeConfiguration(Self.graphs(traits, map: ". * 10"))
    #expect(try other.ask("reload").contains(#""generation":2"#))
    try other.say("send g.a 3", #"{"op":"send","signal":"g.a","event":"completed"}"#)
    try client.expect(Self.next(3, 30), #"{"event":"completed","signal":"g.l"}"#)
  }

  @Test(arguments: kept) func `come before the word that their signal was removed`(traits: String) throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(traits))
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask(Self.subscribe("1h"))
    try other.say("send g.a 1", "send g.a 2")
    try client.expect(Self.next(1, 1))
    try daemon.folder.writeConfiguration("  g: {signals: {a: {input: {endable: true}}}}")
    #expect(try other.ask("reload").contains(#""generation":2"#))
    try client.expect(Self.next(2, 2), #"{"event":"interrupted","signal":"g.l","reason":"removed"}"#)
  }

  @Test(arguments: kept) func `come before the farewell of a process that cannot continue`(traits: String) throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(traits))
    let client = try daemon.connect()
    _ = try client.ask(Self.subscribe("1h"))
    try client.say("send g.a 1", "send g.a 2")
    try client.expect(Self.next(1, 1))
    let farewells = try #require(daemon.host as? LoopHost).daemon.connections.farewells
    let words = farewells.map { String(decoding: $0, as: UTF8.self) }
    #expect(words == [Self.next(2, 2) + "\n" + #"{"event":"interrupted","signal":"g.l","reason":"restarted"}"# + "\n"])
  }

  @Test(arguments: ["", "    durable: true\n"])
  func `are not delivered to clients that may no longer subscribe to their signal`(trait: String) throws {
    func graphs(_ graph: String, _ signal: String) -> String {
      "  g:\n\(graph)    signals: {a: {input: {}, hold: true\(signal)}, b: {input: {}}}"
    }
    let daemon = try HostKind.inProcess.start(graphs("", ""))
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask(Self.subscribe("1h", to: "g.a"))
    try client.say("send g.a 1", "send g.a 2")
    try client.expect(#"{"event":"next","signal":"g.a","seq":1,"value":1}"#)
    try daemon.folder.writeConfiguration(graphs(trait, ", private: true"))
    #expect(try other.ask("reload").contains(#""generation":2"#))
    try client.expect(#"{"event":"interrupted","signal":"g.a","reason":"denied"}"#)
  }

  @Test(arguments: kept) func `are delivered under a pattern after a restart of their signal`(traits: String) throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(traits))
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask(Self.subscribe("1h", to: "*.l"))
    try other.say("send g.a 1", "send g.a 2", #"{"op":"send","signal":"g.a","event":"completed"}"#)
    try client.expect(Self.next(1, 1), Self.next(2, 2), #"{"event":"completed","signal":"g.l"}"#)
    #expect(try other.ask("restart g.a") == #"{"reply":"restart"}"#)
    try client.expect(#"{"event":"subscribed","signal":"g.l","seq":2}"#)
    try other.say("send g.a 3", "send g.a 4", #"{"op":"send","signal":"g.a","event":"completed"}"#)
    try client.expect(Self.next(3, 3), Self.next(4, 4), #"{"event":"completed","signal":"g.l"}"#)
  }
}
