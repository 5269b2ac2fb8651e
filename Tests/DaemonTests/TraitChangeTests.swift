import JSON
import Testing

/// The transitions of subscriptions when a reload changes the run policy of their signal.
@Suite struct `A signal whose traits change under its subscribers` {
  private static let traits = ["", ", lazy: true", ", cold: true", ", hold: true", ", lazy: true, replay: 3"]
  private static let changes = traits.flatMap { before in traits.map { (before, $0) } }

  private static func graphs(_ trait: String, map: String = ".") -> String {
    "  g: {signals: {a: {input: {}}, l: {from: a, pipe: [{map: \(map)}]\(trait)}}}"
  }

  @Test(arguments: changes) func `stays subscribed to by its name, once each, and is left without a trace`(
    before: String, after: String
  ) throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(before))
    let (client, other, third) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
    try client.say("subscribe g.l", #"{"op":"subscribe","signal":"g.l","subscription":"second"}"#)
    _ = (try client.lines(2), try third.ask("subscribe g.l"))
    try daemon.folder.writeConfiguration(Self.graphs(after))
    #expect(try other.ask("reload").contains(#""generation":2"#))
    #expect(try other.ask("describe g.l").contains(#""subscribers":3"#))
    try other.say("send g.a 7")
    try third.expect(#"{"event":"next","signal":"g.l","seq":1,"value":7}"#)
    try third.say("unsubscribe g.l")
    _ = try third.line()
    #expect(
      Set(try client.lines(2)) == [
        #"{"event":"next","signal":"g.l","seq":1,"value":7}"#,
        #"{"event":"next","subscription":"second","signal":"g.l","seq":1,"value":7}"#,
      ])
    try client.expectNothing()
    try client.say("unsubscribe g.l", #"{"op":"unsubscribe","subscription":"second"}"#)
    _ = try client.lines(2)
    #expect(try other.ask("describe g.l").contains(#""subscribers":0"#))
    try daemon.folder.writeConfiguration(Self.graphs(before))
    #expect(try other.ask("reload").contains(#""generation":3"#))
    try other.say("send g.a 8", "subscribe g.l")
    #expect(try other.line().contains(#""reply":"subscribe""#))
  }

  @Test(arguments: changes) func `stays subscribed to by a pattern unless it is cold`(before: String, after: String)
    throws
  {
    let daemon = try HostKind.inProcess.start(Self.graphs(before))
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask("subscribe g.*")
    try daemon.folder.writeConfiguration(Self.graphs(after))
    #expect(try other.ask("reload").contains(#""generation":2"#))
    try other.say("send g.a 7")
    let (wasCold, isCold) = (before.contains("cold"), after.contains("cold"))
    if wasCold && !isCold { try client.expect(#"{"event":"subscribed","signal":"g.l","seq":0}"#) }
    if isCold && !wasCold { try client.expect(#"{"event":"interrupted","signal":"g.l","reason":"removed"}"#) }
    try client.expect(#"{"event":"next","signal":"g.a","seq":1,"value":7}"#)
    if !isCold { try client.expect(#"{"event":"next","signal":"g.l","seq":1,"value":7}"#) }
    try client.expectNothing()
  }

  @Test(arguments: traits) func `is delivered with its new declaration`(trait: String) throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(trait))
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask("subscribe g.l")
    try other.say("send g.a 1")
    try client.expect(#"{"event":"next","signal":"g.l","seq":1,"value":1}"#)
    try daemon.folder.writeConfiguration(Self.graphs(trait, map: ". * 10"))
    #expect(try other.ask("reload").contains(#""changed":["g.l"]"#))
    try other.say("send g.a 2")
    try client.expect(#"{"event":"next","signal":"g.l","seq":2,"value":20}"#)
    try client.expectNothing()
  }

  @Test(arguments: traits) func `is interrupted as removed`(trait: String) throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(trait))
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask("subscribe g.l")
    try daemon.folder.writeConfiguration("  g: {signals: {a: {input: {}}}}")
    #expect(try other.ask("reload").contains(#""removed":["g.l"]"#))
    try client.expect(#"{"event":"interrupted","signal":"g.l","reason":"removed"}"#)
    try other.say("send g.a 1")
    try client.expectNothing()
  }

  @Test(arguments: traits) func `is interrupted as denied`(trait: String) throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(trait))
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask("subscribe g.l")
    try daemon.folder.writeConfiguration(Self.graphs(trait + ", private: true"))
    _ = try other.ask("reload")
    try client.expect(#"{"event":"interrupted","signal":"g.l","reason":"denied"}"#)
    try other.say("send g.a 1")
    try client.expectNothing()
  }

  @Test(arguments: traits) func `is interrupted when the daemon ends`(trait: String) throws {
    let daemon = try HostKind.program.start(Self.graphs(trait))
    let client = try daemon.connect()
    _ = try client.ask("subscribe g.l")
    (daemon.host as? ProgramHost)?.process.signal(15)
    try client.expect(#"{"event":"interrupted","signal":"g.l","reason":"shutting_down"}"#)
    try client.expectEnd()
  }

  @Test(arguments: [1, 20]) func `is delivered under its own name alone once its graph is no longer durable`(
    others: Int
  ) throws {
    let signals = (1...others).map { "s\($0): {input: {}}" }.joined(separator: ", ")
    let daemon = try HostKind.inProcess.start(
      "  k: {durable: true, signals: {\(signals)}}\n  x: {durable: true, signals: {in: {input: {}}}}")
    try daemon.folder.writeConfiguration(
      """
        x: {signals: {in: {input: {}}}}
        y: {durable: true, signals: {sum: {from: x.in, pipe: [{scan: {initial: 100, next: $state + .}}]}}}
      """)
    let client = try daemon.connect()
    #expect(try client.ask("reload").contains(#""generation":2"#))
    _ = try client.ask("subscribe y.sum")
    try client.say("send x.in 5")
    try client.expect(#"{"event":"next","signal":"y.sum","seq":1,"value":105}"#)
    try client.expectNothing()
  }

  @Test func `continues counting where the runs of the cold one were`() throws {
    let daemon = try HostKind.inProcess.start(Self.graphs(", cold: true"))
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask("subscribe g.l")
    try other.say("send g.a 1", "send g.a 2")
    _ = try client.lines(2)
    try daemon.folder.writeConfiguration(Self.graphs(""))
    _ = try other.ask("reload")
    try other.say("send g.a 3")
    try client.expect(#"{"event":"next","signal":"g.l","seq":3,"value":3}"#)
    try daemon.folder.writeConfiguration(Self.graphs(", cold: true"))
    _ = try other.ask("reload")
    try other.say("send g.a 4")
    try client.expect(#"{"event":"next","signal":"g.l","seq":4,"value":4}"#)
  }

  @Test(arguments: ["reload", "restart g.a"]) func `runs once when a pattern covers it, whatever brings it back`(
    request: String
  ) throws {
    let lazy = """
        g:
          signals:
            a: {input: {endable: true}}
            l: {from: a, pipe: [{map: . * 10}], lazy: true}
            m: {from: l, pipe: [{map: . + 1}], lazy: true}
      """
    let daemon = try HostKind.inProcess.start(
      request == "reload" ? "  g: {signals: {a: {input: {endable: true}}}}" : lazy)
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask("subscribe g.*")
    if request == "reload" {
      try daemon.folder.writeConfiguration(lazy)
    } else {
      try other.say(#"{"op":"send","signal":"g.a","event":"completed"}"#)
      _ = try client.lines(3)
    }
    _ = try other.ask(request)
    let subscribed = try client.lines(request == "reload" ? 2 : 3)
    #expect(subscribed.allSatisfy { $0.contains(#""event":"subscribed""#) })
    try other.say("send g.a 1")
    try client.expect(
      #"{"event":"next","signal":"g.a","seq":1,"value":1}"#, #"{"event":"next","signal":"g.l","seq":1,"value":10}"#,
      #"{"event":"next","signal":"g.m","seq":1,"value":11}"#)
    try client.expectNothing()
  }

  @Test func `that ended at once on its way leaves no subscriber behind`() throws {
    let daemon = try HostKind.inProcess.start("  g: {signals: {a: {input: {}}, l: {from: a, lazy: true, replay: 3}}}")
    let (client, other) = (try daemon.connect(), try daemon.connect())
    _ = try client.ask("subscribe g.l")
    try other.say("send g.a 1")
    _ = try client.line()
    try other.say(#"{"op":"subscribe","signal":"g.l","take":1}"#)
    try other.expect(
      #"{"reply":"subscribe","signals":[{"signal":"g.l","seq":1}]}"#,
      #"{"event":"next","signal":"g.l","seq":1,"value":1}"#, #"{"event":"ended","signal":"g.l","reason":"take"}"#)
    try client.say("unsubscribe g.l")
    _ = try client.line()
    #expect(try other.ask("describe g.l").contains(#""subscribers":0"#))
  }
}
