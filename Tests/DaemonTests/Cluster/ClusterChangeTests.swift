import Glibc
import TestSupport
import Testing

/// Owners and logs of a clustered graph that change under it, on a real server.
@Suite(.enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct `A clustered graph under changes`: ClusterSuite {
  let server: NATSServer

  init() throws { server = try NATSServer() }

  @Test(arguments: ["SB_LOG_signalbox_g_0", nil])
  func `stops on each node whose log the servers have lost, and a node that knows none begins another`(stream: String?)
    throws
  {
    let owner = try start("attic")
    let follower = try start("cellar", until: ["following"])
    let clients = [try owner.connect(), try follower.connect()]
    let send = #"{"op":"send","id":1,"signal":"g.in","values":[1,2,3]}"#
    #expect(try clients[1].ask(send).contains(#""seq":3"#))
    server.kill()
    try server.remove(stream: stream)
    try server.restart()
    for (client, daemon) in zip(clients, [owner, follower]) {
      try wait(for: daemon, until: ["stopped"])
      let overview = try client.ask("cluster")
      #expect(
        overview.contains("the log is gone: the servers have no stream SB_LOG_signalbox_g_0 any more"), "\(overview)")
      #expect(try client.ask("get g.count").contains("the log is gone"))
    }
    let fresh = try start("kitchen")
    #expect(try fresh.connect().ask(send).contains(#""seq":3"#))
    // Long enough to look for a repair, which this is not.
    sleep(4)
    for client in clients { #expect(try client.ask("get g.count").contains("the log is gone")) }
    // A person has accepted the loss.
    try process(of: follower).signal(SIGTERM)
    let again = try start("cellar", until: ["following"])
    let client = try again.connect()
    try again.iteration { try client.ask("get g.count").contains(#""value":3"#) }
  }

  @Test func `stops where its log was begun anew while nobody looked`() throws {
    let owner = try start("attic")
    let follower = try start("cellar", until: ["following"])
    let client = try follower.connect()
    #expect(try client.ask(#"{"op":"send","id":1,"signal":"g.in","values":[1,2,3]}"#).contains(#""seq":3"#))
    server.kill()
    try process(of: owner).signal(SIGKILL)
    try process(of: follower).signal(SIGSTOP)
    try server.remove()
    try server.restart()
    let fresh = try start("attic")
    #expect(try fresh.connect().ask("get g.count").contains("no_value"))
    try process(of: follower).signal(SIGCONT)
    try wait(for: follower, until: ["stopped"])
    #expect(try client.ask("get g.count").contains("the log is gone: another log has stood in its place since"))
  }

  /// Reloads a node with a graph that the named nodes may run.
  private func reload(_ daemon: TestDaemon, _ node: String, nodes: String) throws {
    try daemon.folder.writeConfiguration(
      Self.graphs.replacing("cluster: true", with: "cluster: {nodes: [\(nodes)]}"),
      server: """
        {connections: {fleet: {nats: "nats://127.0.0.1:\(server.port)"}}, cluster: {connection: fleet, node: \(node)}}
        """)
    #expect(try daemon.connect().ask("reload").contains(#""reply":"reload""#))
  }

  @Test func `an owner that a reload excludes hands over to a node that may run the graph`() throws {
    let owner = try start("attic")
    let follower = try start("cellar", until: ["following"])
    let (near, far) = (try owner.connect(), try follower.connect())
    #expect(try near.ask(#"{"op":"send","id":1,"signal":"g.in","values":[1,2]}"#).contains(#""seq":2"#))
    try reload(owner, "attic", nodes: "cellar")
    try wait(for: follower, until: ["running"])
    try wait(for: owner, until: ["following"])
    try process(of: owner).waitForOutput(containing: "hands it over to node cellar")
    #expect(try near.ask(#"{"op":"send","id":2,"signal":"g.in","value":3}"#).contains(#""seq":3"#))
    #expect(try far.ask("get g.count").contains(#""value":3"#))
  }

  @Test func `an owner that a reload excludes runs the graph until a node is there that may, and says so`() throws {
    let owner = try start("attic")
    let client = try owner.connect()
    #expect(try client.ask(#"{"op":"send","id":1,"signal":"g.in","value":1}"#).contains(#""seq":1"#))
    try reload(owner, "attic", nodes: "cellar")
    try owner.iteration {
      try client.ask("cluster").contains(
        #""reason":"this node may not run it any more, and does so until one that may is there""#)
    }
    let send = #"{"op":"send","id":2,"signal":"g.in","value":1,"message_id":"x"}"#
    // Servers that take long leave the first one without an answer.
    try owner.iteration { try client.ask(send).contains(#""seq":2"#) }
    let other = try start("cellar")
    let reader = try other.connect()
    try other.iteration { try reader.ask("get g.count").contains(#""value":2"#) }
  }

  @Test func `a reload on the owner reaches the other nodes`() throws {
    let owner = try start("attic")
    let follower = try start("cellar", until: ["following"])
    let client = try follower.connect()
    let near = try owner.connect()
    _ = try near.ask(#"{"op":"send","id":1,"signal":"g.in","value":1}"#)
    let added = Self.graphs.replacing(
      "hold: true}\n", with: "hold: true}\n    last: {from: in, hold: true}\n", maxReplacements: 1)
    for daemon in [follower, owner] {
      let node = daemon === owner ? "attic" : "cellar"
      try daemon.folder.writeConfiguration(
        added,
        server: """
          {connections: {fleet: {nats: "nats://127.0.0.1:\(server.port)"}}, cluster: {connection: fleet, node: \(node)}}
          """)
      #expect(try daemon.connect().ask("reload").contains(#""reply":"reload""#))
    }
    #expect(try near.ask(#"{"op":"send","id":2,"signal":"g.in","value":2}"#).contains(#""seq":2"#))
    try follower.iteration { try client.ask("get g.last").contains(#""value":2"#) }
    #expect(try client.ask("get g.count") == #"{"reply":"get","signal":"g.count","seq":2,"value":2}"#)
  }
}
