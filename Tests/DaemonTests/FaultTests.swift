import Glibc
import Linux
import TestSupport
import Testing

@testable import Daemon

private let graphs = "g: {signals: {in: {input: {}}, out: {from: in, pipe: [{map: .a.b}]}}}"

/// The daemon with failures of the system around it.
@Suite struct `Faults` {
  private let folder = TemporaryFolder()

  /// Starts the program by a shell line; the socket exists as soon as a client connects.
  private func start(_ shell: String, environment: [String] = []) throws -> (process: ChildProcess, client: TestClient)
  {
    let path = try folder.writeConfiguration(graphs, server: "{log: {level: debug}}")
    let listener = try UnixListener(path: folder("s"), mode: 0o600)
    let process = try ChildProcess(
      ["--config", path], environment: environment, shell: "export LISTEN_PID=$$ LISTEN_FDS=1; " + shell,
      inherit: listener.descriptor.number)
    let host = RunningHost(socket: folder("s"))
    return (process, try TestClient(TestDaemon(host, folder: folder)))
  }

  @Test(arguments: [
    (#"exec "$0" "$@" 2>/dev/full"#, "a full disk"), (#"exec "$0" "$@" 2>&-"#, "no descriptor"),
    (#"mkfifo $D/pipe; exec 4<>$D/pipe 2>$D/pipe 4<&-; exec "$0" "$@""#, "a pipe without a reader"),
  ])
  func `a log that cannot be written delays no client`(shell: String, fault: String) throws {
    let (process, client) = try start("D=\(folder.path); " + shell)
    try client.say("subscribe g.in")
    _ = try client.line()
    // Each value is refused by the next map, which logs a record.
    try client.send(1..<5001, to: "g.in")
    for number in 1...5000 {
      try client.expect(#"{"event":"next","signal":"g.in","seq":\#(number),"value":\#(number)}"#)
    }
    process.signal(SIGTERM)
    try client.expect(#"{"event":"interrupted","signal":"g.in","reason":"shutting_down"}"#)
    #expect(try process.waitForExit() == 0)
  }

  @Test func `a reader of the log that has stopped delays no client`() throws {
    // The pipe to this test is never read while the clients are served.
    let (process, client) = try start(#"exec "$0" "$@""#)
    for start in stride(from: 1, to: 20_001, by: 1000) {
      try client.send(start..<(start + 1000), to: "g.in")
      try client.expectNothing()
    }
    process.signal(SIGTERM)
    try client.expectEnd()
    #expect(try process.waitForExit() == 0)
    #expect(process.output.contains("rejected a value"))
  }

  @Test(arguments: [40, 60, 100])
  func `clients leave the daemon the descriptors that it needs to reload and to hand over`(limit: Int) throws {
    let (process, client) = try start(#"ulimit -n \#(limit); exec "$0" "$@""#)
    try client.expectNothing()
    let daemon = TestDaemon(RunningHost(socket: folder("s")), folder: folder)
    var clients: [TestClient] = []
    var refusals = 0
    for number in 1...limit {
      let newSubscriber = try daemon.connect()
      // A refused client may be refused before its request.
      try? newSubscriber.say("ping")
      let answer = try newSubscriber.line()
      if answer == #"{"reply":"ping"}"# {
        clients.append(newSubscriber)
      } else {
        #expect(answer.contains(#""code":"too_many""#) && answer.contains("out of file descriptors"))
        try newSubscriber.expectEnd()
        refusals += 1
      }
      // Each value is a record of the log, in which those of refused clients are to be seen.
      if number % 10 == 0 { try client.say("send g.in \(number)") }
    }
    #expect(clients.count >= 5 && refusals >= 16)
    for client in clients { try client.expectNothing() }
    #expect(try client.ask("reload").hasPrefix(#"{"reply":"reload""#))
    process.signal(SIGUSR2)
    try process.waitForOutput(containing: "resumed the state")
    for client in clients { try client.expectNothing() }
    clients = []
    try client.wait(forConnections: 1)
    try daemon.connect().expectNothing()
    #expect(try client.ask("reload").hasPrefix(#"{"reply":"reload""#))
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
    #expect(process.output.contains("rejected a connection: out of file descriptors"))
    #expect(process.output.contains("limits.connections allows 10000 clients, but there are file descriptors for "))
  }

  @Test(arguments: [10, 12, 30]) func `with too few descriptors it does not start, and says why`(limit: Int) throws {
    let (process, _) = try start(#"ulimit -n \#(limit); exec "$0" "$@""#)
    #expect(try process.waitForExit() == 78)
    #expect(process.output.contains("this process may open only \(limit) files: set LimitNOFILE="))
  }

  /// `sysfs` lets nobody create a folder, and `procfs` has none of this name.
  @Test(arguments: [("/sys/signalbox", 77), ("/proc/signalbox", 73), ("/dev/null/state", 73), ("/dev/null", 73)])
  func `a state folder that cannot be used is not tried again`(path: String, status: Int32) throws {
    let configuration = try folder.writeConfiguration(
      "g: {durable: true, signals: {in: {input: {}}}}", server: "{state: \(path)}")
    let process = try ChildProcess(["--config", configuration, "--socket", folder("s")])
    #expect(try process.waitForExit() == status)
    #expect(process.output.contains(path))
  }

  @Test func `a socket of another user is a lack of permission`() {
    let failure = StartFailure(ListenError.foreign(Errno(EACCES, call: "connect", subject: "/run/s")))
    #expect(failure.status == 77)
    #expect(failure.message.hasPrefix("connect /run/s: Permission denied"))
  }

  @Test func `a service manager that has gone is no reason to end`() throws {
    let manager = folder("notify")
    let (process, client) = try start(
      #"exec "$0" "$@""#, environment: ["NOTIFY_SOCKET=\(manager)", "WATCHDOG_USEC=20000"])
    try client.expectNothing()
    process.signal(SIGHUP)
    try process.waitForOutput(containing: "reloaded")
    try client.expectNothing()
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }

  @Test func `signals at every moment lose nothing`() throws {
    let (process, client) = try start(#"exec "$0" "$@""#)
    try client.say("subscribe g.in")
    _ = try client.line()
    for number in 1...200 {
      try client.say("send g.in \(number)")
      process.signal([SIGHUP, SIGCONT, SIGPIPE, SIGWINCH][number % 4])
    }
    for number in 1...200 {
      try client.expect(#"{"event":"next","signal":"g.in","seq":\#(number),"value":\#(number)}"#)
    }
    process.signal(SIGSTOP)
    try client.say("ping")
    process.signal(SIGCONT)
    try client.expect(#"{"reply":"ping"}"#)
    for _ in 0..<10 { process.signal(SIGTERM) }
    #expect(try process.waitForExit() == 0)
  }

  @Test func `a reload that is asked for while it starts happens when it has started`() throws {
    // Reading so many signals takes much longer than it takes to ask.
    let signals = (1...3000).map { "s\($0): {from: in}" }.joined(separator: ", ")
    let path = try folder.writeConfiguration("first: {signals: {in: {input: {}}, \(signals)}}")
    let process = try ChildProcess(["--config", path, "--socket", folder("s")])
    let deadline = MonotonicInstant.now() + .seconds(60)
    while !process.holdsHangUps { try #require(MonotonicInstant.now() < deadline) }
    try folder.write("signalbox: 1\ngraphs: {second: {signals: {in: {input: {}}}}}\n", to: "next")
    try #require(rename(folder("next"), path) == 0)
    process.signal(SIGHUP)
    try process.waitForOutput(containing: "reloaded: generation 2")
    let client = try TestClient(TestDaemon(RunningHost(socket: folder("s")), folder: folder))
    #expect(
      try client.ask("subscribe *.in") == #"{"reply":"subscribe","signals":[{"signal":"second.in","seq":0}]}"#)
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
  }
}

/// A daemon started outside this test.
private final class RunningHost: Host {
  let socket: String
  let isProcess = true

  init(socket: String) { self.socket = socket }

  func iteration() throws {}
}
