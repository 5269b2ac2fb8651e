import Glibc
import Linux
import TestSupport
import Testing

private let graphs = "g: {signals: {in: {input: {}, hold: true}}}"

@Suite struct `The program` {
  private let folder = TemporaryFolder()

  private func fail(_ arguments: [String]) throws -> (status: Int32, text: String) {
    let process = try ChildProcess(arguments)
    let status = try process.waitForExit()
    return (status, process.output)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends it: subscribers are interrupted, the socket goes, the status is 0`(
    number: Int32
  ) throws {
    let daemon = try HostKind.program.start(graphs)
    let process = try #require(daemon.host as? ProgramHost).process
    let client = try daemon.connect()
    try client.say("subscribe g.in", #"{"op":"subscribe","signal":"*.*","subscription":"x"}"#)
    _ = try client.lines(2)
    process.signal(number)
    let told = Set(try client.lines(2))
    #expect(
      told == [
        #"{"event":"interrupted","signal":"g.in","reason":"shutting_down"}"#,
        #"{"event":"interrupted","subscription":"x","signal":"g.in","reason":"shutting_down"}"#,
      ])
    try client.expectEnd()
    #expect(try process.waitForExit() == 0)
    #expect(access(daemon.host.socket, F_OK) == -1)
  }

  @Test func `SIGHUP reloads, and a bad file leaves everything as it was`() throws {
    let daemon = try HostKind.program.start(graphs)
    let process = try #require(daemon.host as? ProgramHost).process
    let client = try daemon.connect()
    try client.say("send g.in 1", "subscribe g.*")
    _ = try client.lines(2)
    try daemon.folder.writeConfiguration(graphs + "\nh: {signals: {in: {input: {}}}}")
    process.signal(SIGHUP)
    try process.waitForOutput(containing: "reloaded: generation 2")
    #expect(try client.ask("get g.in") == #"{"reply":"get","signal":"g.in","seq":1,"value":1}"#)
    try daemon.folder.writeConfiguration("g: {}\ng: {}")
    process.signal(SIGHUP)
    try process.waitForOutput(containing: "reload rejected")
    #expect(try client.ask("list h.*").contains(#""signal":"h.in""#))
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }

  @Test func `what begins with SIGHUP begins now, however long nothing has happened`() throws {
    let daemon = try HostKind.program.start("g: {signals: {p: {property: {initial: 1}}}}")
    let process = try #require(daemon.host as? ProgramHost).process
    let client = try daemon.connect()
    _ = try client.ask("ping")
    try daemon.folder.writeConfiguration("g: {signals: {p: {property: {initial: 2}}}}")
    let quiet = WallTime.now()
    process.signal(SIGHUP)
    try process.waitForOutput(containing: "reloaded")
    let held = try client.ask(#"{"op":"get","signal":"g.p","timestamps":true}"#)
    let time = try #require(held.ranges(of: #""at":""#).first.map { held[$0.upperBound...].prefix { $0 != "\"" } })
    #expect(time >= quiet.text, "\(held)")
  }

  @Test func `nothing is reloaded any more once it ends, and callers get an error`() throws {
    let script = "trap 'echo ending >&2; sleep 0.3; exit' TERM; echo ready; while :; do sleep 0.02; done"
    let daemon = try HostKind.program.start("g: {actions: {slow: {exec: [sh, -c, \"\(script)\"]}}}")
    let process = try #require(daemon.host as? ProgramHost).process
    let client = try daemon.connect()
    try client.say(#"{"op":"call","id":1,"action":"g.slow"}"#)
    try client.expect(#"{"event":"next","call":1,"value":"ready"}"#)
    process.signal(SIGTERM)
    try client.expect(
      #"{"reply":"error","id":1,"op":"call","error":{"code":"shutting_down","message":"the daemon is shutting down"}}"#)
    try client.expectEnd()
    try process.waitForOutput(containing: "g.slow: sh: ending")
    process.signal(SIGHUP)
    #expect(try process.waitForExit() == 0)
    #expect(!process.output.contains("reload"))
  }

  @Test func `it reports what to do where there is no configuration`() throws {
    let (status, text) = try fail(["--config", folder("none.yaml")])
    #expect(status == EX_NOINPUT)
    #expect(text == "signalboxd: \(folder("none.yaml")) does not exist: create it, or give another with --config\n")
  }

  @Test func `a configuration with errors shows them all`() throws {
    let path = try folder.writeConfiguration("g: {signals: {a: {inptu: {}}, b: {input: {typ: x}}}}")
    let (status, text) = try fail(["--config", path])
    #expect(status == EX_CONFIG)
    // The two misspelt names, and the type that the second one is given.
    #expect(text.ranges(of: ": error: ").count == 3, "\(text)")
    #expect(try fail(["--config", path, "--check"]).status == EX_CONFIG)
  }

  @Test func `an unknown name in an access rule is a warning and matches no user`() throws {
    let path = try folder.writeConfiguration("g: {signals: {a: {input: {}, access: {send: [no-such-user, root]}}}}")
    let process = try ChildProcess(["--config", path, "--socket", folder("s")])
    try process.waitForOutput(containing: "unknown user or group no-such-user")
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }

  @Test func `a socket in use is left to its owner`() throws {
    let daemon = try HostKind.program.start(graphs)
    let path = try folder.writeConfiguration(graphs)
    let (status, text) = try fail(["--config", path, "--socket", daemon.host.socket])
    #expect(status == EX_UNAVAILABLE)
    #expect(
      text
        == "signalboxd: \(daemon.host.socket): another process is listening on it: stop it, or choose another socket with --socket\n"
    )
    try daemon.connect().expectNothing()
  }

  @Test func `a stale socket is replaced`() throws {
    let daemon = try HostKind.program.start(graphs)
    let process = try #require(daemon.host as? ProgramHost).process
    process.signal(SIGKILL)
    #expect(try process.waitForExit() == -SIGKILL)
    let again = try ProgramHost(configuration: daemon.folder("signalbox.yaml"), socket: daemon.host.socket)
    try TestDaemon(again, folder: daemon.folder).connect().expectNothing()
  }

  @Test func `clients for which no descriptor is left get an error`() throws {
    let path = try folder.writeConfiguration(graphs)
    let process = try ChildProcess(
      ["--config", path, "--socket", folder("s")], shell: #"ulimit -n 64; exec "$0" "$@""#)
    try process.waitForOutput(containing: "ready")
    let daemon = TestDaemon(AdoptedHost(socket: folder("s")), folder: folder)
    var clients: [TestClient] = []
    var refusal = ""
    while refusal.isEmpty && clients.count < 96 {
      let client = try daemon.connect()
      try? client.say("ping")
      let answer = try client.line()
      if answer != #"{"reply":"ping"}"# { refusal = answer }
      clients.append(client)
    }
    #expect(refusal.contains(#""code":"too_many""#))
    #expect(clients.count > 2)
    try clients[0].expectNothing()
    try clients[0].finish()
    try clients[0].expectEnd()
    try daemon.connect().expectNothing()
  }

  @Test(arguments: [
    (["--nonsense"], "unknown option --nonsense"), (["--config"], "--config needs an argument"),
    (["extra"], "unexpected argument extra"),
  ])
  func `a wrong command line is explained`(arguments: [String], message: String) throws {
    let (status, text) = try fail(arguments)
    #expect(status == EX_USAGE)
    #expect(text == "signalboxd: \(message); see signalboxd --help\n")
  }

  @Test func `an inherited socket wins, a difference is a warning, and its file stays`() throws {
    let path = try folder.writeConfiguration(
      graphs, server: "{socket: {path: \(folder("configured")), mode: \"0666\", group: daemon}}")
    let inherited = folder("inherited")
    do {
      let listener = try UnixListener(path: inherited, mode: 0o600)
      let process = try ChildProcess(
        ["--config", path], shell: #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@""#, inherit: listener.descriptor.number)
      // The first client waits in the queue until the daemon is ready.
      let client = try TestClient(TestDaemon(AdoptedHost(socket: inherited), folder: folder))
      #expect(try client.ask("ping") == #"{"reply":"ping"}"#)
      process.signal(SIGTERM)
      #expect(try process.waitForExit() == 0)
      #expect(process.output.contains("using the socket \(inherited) of the service manager, not the configured"))
      #expect(process.output.contains("the socket from the service manager has the mode 0600, not the configured 0666"))
      #expect(process.output.contains(", not the configured daemon: set SocketGroup= in its unit"))
    }
    #expect(access(inherited, F_OK) == 0)
    #expect(access(folder("configured"), F_OK) == -1)
  }

  @Test func `clients that wait at an inherited socket get an error if it does not start`() throws {
    let path = try folder.writeConfiguration("nothing")
    let listener = try UnixListener(path: folder("inherited"), mode: 0o600)
    func start() throws -> ChildProcess {
      try ChildProcess(
        ["--config", path], shell: #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@""#, inherit: listener.descriptor.number)
    }
    let daemon = TestDaemon(AdoptedHost(socket: folder("inherited")), folder: folder)
    let message = "the daemon failed to start; see its log"
    let told = #"{"reply":"error","error":{"code":"shutting_down","message":"\#(message)"}}"#
    let early = try TestClient(daemon)
    try early.say("ping")
    let process = try start()
    try early.expect(told)
    try early.expectEnd()
    // A client that connects during the shutdown is notified as well, so that it does not trigger a new start.
    let late = try TestClient(daemon)
    try late.expect(told)
    try late.expectEnd()
    #expect(try process.waitForExit() == 78)
    #expect(process.output.contains("signalbox.yaml:"))
    let begin = MonotonicInstant.now()
    #expect(try start().waitForExit() == 78)
    #expect(MonotonicInstant.now() - begin < .seconds(3), "no client waits")
  }

  @Test func `the service manager is notified of readiness, of a reload and of the end`() throws {
    let path = try folder.writeConfiguration(graphs)
    let manager = try DatagramReceiver(path: folder("notify"))
    let process = try ChildProcess(
      ["--config", path, "--socket", folder("s")], environment: ["NOTIFY_SOCKET=\(folder("notify"))"])
    #expect(try manager.receive() == "READY=1\nSTATUS=1 graph, 1 signal, generation 1")
    process.signal(SIGHUP)
    #expect(try manager.receive().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    #expect(
      try manager.receive()
        == "READY=1\nSTATUS=1 graph, 1 signal; reloaded: generation 2, 1 kept, 0 changed, 0 added, 0 removed")
    try folder.writeConfiguration("nothing")
    process.signal(SIGHUP)
    #expect(try manager.receive().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    #expect(
      try manager.receive().hasPrefix(
        "READY=1\nSTATUS=1 graph, 1 signal, generation 2; reload rejected: \(path):"))
    process.signal(SIGTERM)
    #expect(try manager.receive() == "STOPPING=1")
    #expect(try process.waitForExit() == 0)
    let failing = try ChildProcess(["--config", path], environment: ["NOTIFY_SOCKET=\(folder("notify"))"])
    #expect(try manager.receive().hasPrefix("STATUS=failed to start: \(path):4:3: error: "))
    #expect(try failing.waitForExit() == 78)
  }

  @Test func `the watchdog is fed while the loop turns`() throws {
    let path = try folder.writeConfiguration(graphs)
    let manager = try DatagramReceiver(path: folder("notify"))
    let process = try ChildProcess(
      ["--config", path, "--socket", folder("s")],
      environment: ["NOTIFY_SOCKET=\(folder("notify"))", "WATCHDOG_USEC=200000"])
    while try !manager.receive().hasPrefix("READY=1") {}
    #expect(try manager.receive() == "WATCHDOG=1")
    #expect(try manager.receive() == "WATCHDOG=1")
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }
}

/// A daemon started outside this test.
private final class AdoptedHost: Host {
  let socket: String
  let isProcess = true

  init(socket: String) { self.socket = socket }

  func iteration() throws {}
}

/// The socket on which a service manager receives states.
private final class DatagramReceiver {
  private let socket: OwnedDescriptor

  init(path: String) throws {
    socket = OwnedDescriptor(owning: Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let number = socket.number
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result == -1 { throw Errno.last("bind") }
  }

  func receive() throws -> String {
    guard !(try socket.transfer.wait(for: .readable, timeout: .seconds(20)).isEmpty) else {
      throw Unexpected("the service manager received nothing")
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    guard case .bytes(let count) = try bytes.withUnsafeMutableBytes({ try socket.transfer.read(into: $0) }) else {
      return ""
    }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
