import TestSupport
import Testing

/// Tests of daemons that run a clustered graph on a real server.
protocol ClusterSuite {
  var server: NATSServer { get }
}

extension ClusterSuite {
  static var graphs: String {
    """
    g:
      cluster: true
      signals:
        in: {input: {endable: true}, replay: 100}
        count: {from: in, pipe: [{scan: {initial: 0, next: $state + 1}}], hold: true}
    h: {signals: {in: {input: {}, hold: true}, out: {from: in, pipe: [{send_to: g.in}]}}}
    """
  }

  static func start(_ node: String, on port: UInt16) throws -> TestDaemon {
    try HostKind.program.start(
      graphs,
      server: """
        {connections: {fleet: {nats: "nats://127.0.0.1:\(port)"}}, cluster: {connection: fleet, node: \(node)}}
        """)
  }

  /// Starts a node, and waits until it does something with the log.
  func start(_ node: String, until states: [String] = ["running"]) throws -> TestDaemon {
    let daemon = try Self.start(node, on: server.port)
    try wait(for: daemon, until: states)
    return daemon
  }

  func wait(for daemon: TestDaemon, until states: [String]) throws {
    let client = try daemon.connect()
    try daemon.iteration {
      let reply = try client.ask("cluster")
      return states.contains { reply.contains(#""state":"\#($0)","#) }
    }
  }

  func process(of daemon: TestDaemon) throws -> ChildProcess {
    try #require(daemon.host as? ProgramHost).process
  }
}
