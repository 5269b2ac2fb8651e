import Foundation
import Glibc
import TestSupport
import Testing

/// Daemons that run a clustered graph on a real server.
@Suite(.enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct `A clustered graph`: ClusterSuite {
  let server: NATSServer

  init() throws { server = try NATSServer() }

  private func children(of daemon: TestDaemon) throws -> [Int32] {
    let identifier = try process(of: daemon).identifier
    let text = try String(contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8)
    return text.split(separator: " ").compactMap { Int32($0) }
  }

  @Test func `takes values at each node, and each shows the same`() throws {
    let owner = try start("attic")
    let follower = try start("cellar", until: ["following"])
    let (near, far) = (try owner.connect(), try follower.connect())
    let answer = #"{"reply":"send","id":1,"signal":"g.in","seq":1}"#
    #expect(try far.ask(#"{"op":"send","id":1,"signal":"g.in","value":"a","message_id":"x"}"#) == answer)
    #expect(try far.ask("get g.count") == #"{"reply":"get","signal":"g.count","seq":1,"value":1}"#)
    #expect(
      try near.ask(#"{"op":"send","id":1,"signal":"g.in","value":"a","message_id":"x"}"#)
        == #"{"reply":"send","id":1,"signal":"g.in","seq":1,"duplicate":true}"#)
    try far.say(#"{"op":"subscribe","signal":"g.in"}"#)
    try far.expect(
      #"{"reply":"subscribe","signals":[{"signal":"g.in","seq":1}]}"#,
      #"{"event":"next","signal":"g.in","seq":1,"value":"a"}"#)
    #expect(
      try near.ask(#"{"op":"send","id":2,"signal":"g.in","values":[1,2]}"#)
        == #"{"reply":"send","id":2,"signal":"g.in","seq":3}"#)
    try far.expect(
      #"{"event":"next","signal":"g.in","seq":2,"value":1}"#, #"{"event":"next","signal":"g.in","seq":3,"value":2}"#)
    try near.say(#"{"op":"subscribe","signal":"g.in"}"#)
    _ = try near.lines(4)
    #expect(near.epoch == far.epoch && near.epoch?.count == 16)
  }

  @Test func `keeps the order of answers at a node that forwards`() throws {
    let owner = try start("attic")
    let follower = try start("cellar", until: ["following"])
    let client = try follower.connect()
    try client.say(
      #"{"op":"send","id":1,"signal":"g.in","value":1}"#, #"{"op":"send","id":2,"signal":"h.in","value":2}"#,
      #"{"op":"send","id":3,"signal":"g.in","value":3}"#, "get g.in", #"{"op":"send","id":4,"signal":"g.no","value":1}"#
    )
    let lines = try client.lines(5)
    #expect(lines[0] == #"{"reply":"send","id":1,"signal":"g.in","seq":1}"#)
    #expect(lines[1] == #"{"reply":"send","id":2,"signal":"h.in","seq":1}"#)
    #expect(lines[2].hasPrefix(#"{"reply":"send","id":3,"signal":"g.in","seq":"#))
    #expect(lines[3].hasPrefix(#"{"reply":"get","signal":"g.in""#))
    #expect(lines[4].contains("unknown_signal"))
    // The value that an ordinary graph of this node sends into the clustered one arrives at its owner.
    let near = try owner.connect()
    try owner.iteration { try near.ask("get g.count").contains(#""value":3"#) }
  }

  @Test(arguments: [SIGKILL, SIGTERM]) func `continues at another node`(signal: Int32) throws {
    let owner = try start("attic")
    let follower = try start("cellar", until: ["following"])
    let client = try follower.connect()
    try client.say("subscribe g.in")
    _ = try client.line()
    _ = try owner.connect().ask(#"{"op":"send","id":1,"signal":"g.in","value":1,"message_id":"x"}"#)
    try client.expect(#"{"event":"next","signal":"g.in","seq":1,"value":1}"#)
    try process(of: owner).signal(signal)
    // Sent while nothing owns the graph, and answered by its next owner.
    try client.say(
      #"{"op":"send","id":2,"signal":"g.in","value":1,"message_id":"x"}"#,
      #"{"op":"send","id":3,"signal":"g.in","value":2}"#)
    try client.expect(
      #"{"reply":"send","id":2,"signal":"g.in","seq":1,"duplicate":true}"#,
      #"{"event":"next","signal":"g.in","seq":2,"value":2}"#,
      #"{"reply":"send","id":3,"signal":"g.in","seq":2}"#)
    #expect(try client.ask("get g.count") == #"{"reply":"get","signal":"g.count","seq":2,"value":2}"#)
    #expect(try client.ask("cluster").contains(#""state":"running","owner":"cellar""#))
    #expect(try client.ask("stats").contains(#""failovers":\#(signal == SIGKILL ? 1 : 0)"#))
  }

  @Test func `continues in the next process of its node`() throws {
    let daemon = try start("attic")
    let client = try daemon.connect()
    try client.say("subscribe g.in", #"{"op":"send","id":1,"signal":"g.in","value":1}"#)
    _ = try client.lines(3)
    try process(of: daemon).signal(SIGUSR2)
    try process(of: daemon).waitForOutput(containing: "resumed the state")
    try client.say(#"{"op":"send","id":2,"signal":"g.in","value":2}"#)
    try client.expect(
      #"{"event":"next","signal":"g.in","seq":2,"value":2}"#, #"{"reply":"send","id":2,"signal":"g.in","seq":2}"#)
    #expect(try client.ask("get g.count") == #"{"reply":"get","signal":"g.count","seq":2,"value":2}"#)
  }

  @Test func `waits for servers that are away, and loses nothing`() throws {
    let daemon = try start("attic")
    let client = try daemon.connect()
    #expect(try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":1}"#).contains(#""seq":1"#))
    server.kill()
    try daemon.iteration { try client.ask("get g.count").contains(#""code":"unavailable""#) }
    let send = #"{"op":"send","id":2,"signal":"g.in","value":2,"message_id":"y"}"#
    #expect(try client.ask(send).contains(#""code":"unavailable""#))
    #expect(try client.ask("get h.in").contains("no_value"))
    try server.restart()
    try daemon.iteration { try client.ask(send).contains(#""seq":2"#) }
    #expect(try client.ask("get g.count") == #"{"reply":"get","signal":"g.count","seq":2,"value":2}"#)
  }

  @Test func `is unavailable where there were never any servers, unlike other graphs`() throws {
    let daemon = try Self.start("attic", on: 1)
    let client = try daemon.connect()
    try daemon.iteration {
      try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":1}"#).contains(#""code":"unavailable""#)
    }
    #expect(try client.ask(#"{"op":"subscribe","signal":"g.in","from":0,"epoch":"e"}"#).contains("unavailable"))
    #expect(
      try client.ask(#"{"op":"send","id":2,"signal":"h.in","value":1}"#)
        == #"{"reply":"send","id":2,"signal":"h.in","seq":1}"#)
    let overview = try client.ask("cluster")
    #expect(overview.contains(#"{"graph":"g","state":"away""#))
    #expect(overview.matches(of: /"reason":"[^"]+/).count == 2)
  }

  @Test func `tells each change of the owner with its reason, and of the connection`() throws {
    let owner = try start("attic")
    let follower = try start("cellar", until: ["following"])
    let client = try follower.connect()
    try client.say("subscribe signalbox.cluster")
    _ = try client.line()
    try process(of: owner).signal(SIGTERM)
    let change = try client.line()
    #expect(change.contains(#""event":"owner","graph":"g","owner":"cellar""#))
    #expect(change.contains(#""reason":"successor""#))
    try process(of: follower).waitForOutput(containing: "graph g runs on this node: its owner has handed it over")
    server.kill()
    #expect(try client.line().contains(#""value":{"event":"away","reason":"#))
    try server.restart()
    #expect(try client.line().contains(#""value":{"event":"connected","server":"nats://"#))
  }

  @Test func `of two daemons with the name of one node the older one continues, and the other takes part after it`()
    throws
  {
    let first = try start("attic")
    let second = try Self.start("attic", on: server.port)
    let (client, other) = (try first.connect(), try second.connect())
    let conflict = "another daemon that runs longer calls itself node attic, too: give each a name of its own"
    try second.iteration { try other.ask("cluster").contains(conflict) }
    #expect(try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":1}"#).contains(#""seq":1"#))
    #expect(try client.ask("cluster").contains(#""state":"running","owner":"attic""#))
    #expect(try other.ask(#"{"op":"send","id":1,"signal":"g.in","value":1}"#).contains(conflict))
    try process(of: first).waitForOutput(containing: "another daemon calls itself node attic, too")
    try process(of: second).waitForOutput(containing: "this one takes no part")
    try process(of: first).signal(SIGTERM)
    try wait(for: second, until: ["running"])
    #expect(try other.ask(#"{"op":"send","id":2,"signal":"g.in","value":2}"#).contains(#""seq":2"#))
  }

  /// A follower may be behind, and its bridge would publish an older state over that of the owner's.
  @Test func `tells the adapters of its owner alone the payload of a retained topic`() throws {
    func node(_ name: String) throws -> TestDaemon {
      try HostKind.program.start(
        """
        g: {cluster: true, signals: {in: {input: {}, hold: true, publish: {mqtt: {connection: home, topic: t, retain: true}}}}}
        h: {signals: {own: {property: {initial: 5}, publish: {mqtt: {connection: home, topic: o, retain: true}}}}}
        """,
        server: """
          {bridge: service, connections: {fleet: {nats: "nats://127.0.0.1:\(server.port)"}, home: {mqtt: "mqtt://127.0.0.1:9"}},
          cluster: {connection: fleet, node: \(name)}}
          """)
    }
    let owner = try node("attic")
    try wait(for: owner, until: ["running"])
    let follower = try node("cellar")
    try wait(for: follower, until: ["following"])
    #expect(try owner.connect().ask(#"{"op":"send","id":1,"signal":"g.in","value":7}"#).contains(#""seq":1"#))
    let reader = try follower.connect()
    try follower.iteration { try reader.ask(#"{"op":"get","signal":"g.in"}"#).contains(#""value":7"#) }
    let (owned, followed) = (try ScriptedAdapter(owner, kind: "mqtt"), try ScriptedAdapter(follower, kind: "mqtt"))
    #expect(owned.welcome.contains(#""state":"7""#), "\(owned.welcome)")
    #expect(!followed.welcome.contains(#""state":"7""#), "\(followed.welcome)")
    for adapter in [owned, followed] { #expect(adapter.welcome.contains(#""state":"5""#), "\(adapter.welcome)") }
  }

  @Test func `a connection that only the cluster uses has no adapter, also once the cluster has returned`() throws {
    let daemon = try start("attic")
    let client = try daemon.connect()
    let fleet = #"connections: {fleet: {nats: "nats://127.0.0.1:\#(server.port)"}}"#
    try daemon.folder.writeConfiguration("h: {signals: {in: {input: {}}}}", server: "{\(fleet)}")
    #expect(try client.ask("reload").contains(#""reply":"reload""#))
    try daemon.iteration { try children(of: daemon).count == 1 }
    try daemon.folder.writeConfiguration(
      Self.graphs, server: "{\(fleet), cluster: {connection: fleet, node: attic}}")
    #expect(try client.ask("reload").contains(#""reply":"reload""#))
    try wait(for: daemon, until: ["running"])
    try daemon.iteration { try children(of: daemon).count == 1 }
    #expect(try !client.ask("stats").contains(#""fleet":{"#))
  }

  @Test func `a pattern begins with a graph once its log was read, behind the places that the client names`() throws {
    let owner = try start("attic")
    let near = try owner.connect()
    _ = try near.ask(#"{"op":"send","id":1,"signal":"g.in","values":[1,2,3]}"#)
    let epoch = try #require(
      try near.ask(#"{"op":"subscribe","signal":"g.in","from":3,"epoch":"x"}"#).firstMatch(of: /"epoch":"(\w+)"/)?.1)
    server.kill()
    let late = try Self.start("cellar", on: server.port)
    let client = try late.connect()
    try late.iteration { try client.ask("get g.in").contains("no connection to the cluster") }
    #expect(try client.ask("values") == #"{"reply":"values","values":[]}"#)
    try client.say(
      #"{"op":"subscribe","signal":"*.in","from":{"g.in":{"seq":2,"epoch":"\#(epoch)"},"h.in":{"seq":0,"epoch":"y"}}}"#)
    #expect(try client.line().contains(#""signals":[{"signal":"h.in","seq":0"#))
    _ = try client.line()
    try server.restart()
    try client.expect(
      #"{"event":"subscribed","signal":"g.in","seq":3,"epoch":"\#(epoch)"}"#,
      #"{"event":"next","signal":"g.in","seq":3,"value":3}"#)
    try near.say(#"{"op":"send","id":9,"signal":"g.in","value":4}"#)
    try client.expect(#"{"event":"next","signal":"g.in","seq":4,"value":4}"#)
  }

  @Test func `a pattern that waits for a log continues to wait in the next process, behind the same places`() throws {
    let owner = try start("attic")
    let near = try owner.connect()
    _ = try near.ask(#"{"op":"send","id":1,"signal":"g.in","values":[1,2,3]}"#)
    let epoch = try #require(
      try near.ask(#"{"op":"subscribe","signal":"g.in","from":3,"epoch":"x"}"#).firstMatch(of: /"epoch":"(\w+)"/)?.1)
    server.kill()
    let late = try Self.start("cellar", on: server.port)
    let (client, other) = (try late.connect(), try late.connect())
    try late.iteration { try client.ask("get g.in").contains("no connection to the cluster") }
    try client.say(
      #"{"op":"subscribe","signal":"*.in","from":{"g.in":{"seq":2,"epoch":"\#(epoch)"},"h.in":{"seq":0,"epoch":"y"}}}"#)
    _ = try client.lines(2)
    try other.say(#"{"op":"subscribe","signal":"*.count"}"#)
    _ = try other.line()
    try process(of: late).signal(SIGUSR2)
    try process(of: late).waitForOutput(containing: "resumed the state")
    try server.restart()
    try client.expect(
      #"{"event":"subscribed","signal":"g.in","seq":3,"epoch":"\#(epoch)"}"#,
      #"{"event":"next","signal":"g.in","seq":3,"value":3}"#)
    try other.expect(
      #"{"event":"subscribed","signal":"g.count","seq":3,"epoch":"\#(epoch)"}"#,
      #"{"event":"next","signal":"g.count","seq":3,"value":3}"#)
    try near.say(#"{"op":"send","id":9,"signal":"g.in","value":4}"#)
    try client.expect(#"{"event":"next","signal":"g.in","seq":4,"value":4}"#)
  }

  @Test func `a pattern that waits for a log begins with its signals once a reload takes them out of the cluster`()
    throws
  {
    let daemon = try Self.start("attic", on: 1)
    let (client, other) = (try daemon.connect(), try daemon.connect())
    try daemon.iteration { try client.ask("get g.in").contains("no connection to the cluster") }
    try client.say(#"{"op":"subscribe","signal":"g.*"}"#)
    #expect(try client.line() == #"{"reply":"subscribe","signals":[]}"#)
    try daemon.folder.writeConfiguration(
      "g: {signals: {in: {input: {}}}}", server: "{connections: {fleet: {nats: \"nats://127.0.0.1:1\"}}}")
    #expect(try other.ask("reload").contains(#""reply":"reload""#))
    try client.expect(#"{"event":"subscribed","signal":"g.in","seq":0}"#)
    _ = try other.ask(#"{"op":"send","id":1,"signal":"g.in","value":1}"#)
    try client.expect(#"{"event":"next","signal":"g.in","seq":1,"value":1}"#)
  }

  @Test func `a graph that returns to its log by a reload publishes nothing of it again`() throws {
    let daemon = try start("attic")
    let (client, other) = (try daemon.connect(), try daemon.connect())
    try client.say("subscribe g.in")
    _ = try client.line()
    _ = try other.ask(#"{"op":"send","id":1,"signal":"g.in","values":["a","b"]}"#)
    _ = try client.lines(2)
    let settings = #"""
      connections: {fleet: {nats: "nats://127.0.0.1:\#(server.port)"}}, cluster: {connection: fleet, node: attic}, \#
      state: "\#(daemon.folder.path)/state"
      """#
    for (kind, value) in [("durable", "c"), ("cluster", "d")] {
      try daemon.folder.writeConfiguration(
        Self.graphs.replacing("cluster: true", with: "\(kind): true"), server: "{\(settings)}")
      #expect(try other.ask("reload").contains(#""reply":"reload""#))
      try daemon.iteration {
        try other.ask(#"{"op":"send","id":2,"signal":"g.in","value":"\#(value)"}"#).contains(#""seq""#)
      }
    }
    var lines: [String] = []
    while lines.last?.contains(#""value":"d""#) != true { lines.append(try client.line()) }
    #expect(!lines.contains { $0.contains(#""value":"a""#) || $0.contains(#""value":"b""#) }, "\(lines)")
  }
}

@Suite struct `A daemon without clustered graphs` {
  @Test func `has nothing to tell of a cluster, and starts no relay`() throws {
    let daemon = try HostKind.program.start("g: {signals: {a: {input: {}}}}")
    let client = try daemon.connect()
    #expect(try client.ask("cluster").contains(#""code":"disabled""#))
    let identifier = try #require(daemon.host as? ProgramHost).process.identifier
    #expect(try String(contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8).isEmpty)
  }
}
