import Foundation
import JSON
import Linux
import TestSupport
import Testing

@testable import Bridge

@Suite struct `The bridge and its daemon` {
  private let daemon: ScriptedDaemon

  init() throws { daemon = try ScriptedDaemon() }

  @Test func `a daemon that comes back gets the result of what was running`() throws {
    let server = try TestServer { request, connection, server in
      if request.target == "/slow" { server.waitForGate() }
      try connection.answer("200 OK", [], request.target)
    }
    defer { server.close() }
    try daemon.attach([ScriptedDaemon.http(server.url, ["concurrent": 2])])
    try daemon.give(["path": "/slow"], key: "slow")
    try daemon.give(["path": "/slow"], key: "slow too")
    try daemon.give(["path": "/waits"], key: "waits")
    try daemon.run(until: { server.requests.count == 2 })
    daemon.hangUp()
    try daemon.attach([ScriptedDaemon.http(server.url, ["concurrent": 2])])
    let first = try daemon.give(["path": "/slow"], key: "slow")
    server.openGate()
    #expect(try daemon.acknowledgement(of: first).string("payload") == "/slow")
    let waiting = try daemon.give(["path": "/waits"], key: "waits")
    #expect(try daemon.acknowledgement(of: waiting).string("payload") == "/waits")
    // This one has ended before its task comes.
    let second = try daemon.give(["path": "/slow"], key: "slow too")
    #expect(try daemon.acknowledgement(of: second).string("payload") == "/slow")
    #expect(server.requests.map(\.target) == ["/slow", "/slow", "/waits"])
  }

  @Test func `the state of connections is reported again to a daemon that comes back`() throws {
    let server = try TestServer { _, connection, _ in try connection.answer() }
    defer { server.close() }
    for _ in 0..<3 {
      try daemon.attach([ScriptedDaemon.http(server.url)])
      #expect(try daemon.next("report").string("state") == "connected")
      daemon.hangUp()
    }
  }

  @Test func `a stream resumes after the last event that the daemon has`() throws {
    let server = try TestServer { request, connection, server in
      let start = request.headers["last-event-id"].flatMap { Int($0) } ?? 0
      try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
      for number in (start + 1)...(start + 5) { try connection.write("id: \(number)\ndata: \(number)\n\n") }
      server.waitForGate()
    }
    defer { server.close() }
    let connection = ScriptedDaemon.http(server.url)
    try daemon.attach([connection], [ScriptedDaemon.source(["path": "/", "events": true])])
    for number in 1...3 { #expect(try daemon.value().string("position") == "\(number)") }
    daemon.hangUp()
    try daemon.attach([connection], [ScriptedDaemon.source(["path": "/", "events": true], position: "3")])
    #expect(try daemon.value().string("position") == "4")
  }

  @Test func `a refusal is logged once, and attaching is retried`() throws {
    for _ in 0..<3 { try daemon.refuse("busy") }
    try daemon.attach([])
    try daemon.run(until: { daemon.messages.contains { $0.contains("attached") } })
    #expect(daemon.messages.count { $0.contains("refuses the bridge: not you") } == 1)
  }

  @Test func `a task for an unknown connection is refused`() throws {
    try daemon.attach([ScriptedDaemon.http("ftp://nowhere", name: "bad")])
    for name in ["bad", "none"] {
      let task = try daemon.give(["path": "/"], connection: name)
      #expect(try daemon.acknowledgement(of: task).string("result") == "failed")
    }
    #expect(try daemon.next("report").string("state") == "away")
  }

  @Test func `lines that make no sense cost a line in the log each`() throws {
    try daemon.attach([])
    try daemon.write(["event": "task"])
    try daemon.write(["event": "cancel", "task": 99])
    try daemon.write(["event": "later", "x": 1])
    try daemon.write([1, 2])
    try daemon.write(["reply": "error", "error": ["code": "x", "message": "y"]])
    try daemon.run(until: { daemon.messages.contains { $0.contains("refused a line: y") } })
    #expect(daemon.messages.count { $0.contains("makes no sense") } == 2)
  }

  @Test func `a bridge that was started by the daemon ends with it`() throws {
    let daemon = try ScriptedDaemon(startsBridge: false)
    let socket = try UnixSocket.connect(path: daemon.socket)
    let settings = BridgeSettings(socket: "/nowhere", inherited: socket.release())
    let bridge = try Bridge(settings, loop: daemon.loop, log: Log(sink: RecordedLog()))
    bridge.start()
    try daemon.attach([])
    daemon.hangUp()
    #expect(try daemon.loop.run() == 0)
  }
}

@Suite struct `The program signalbox-bridge` {
  private let daemon: ScriptedDaemon

  init() throws { daemon = try ScriptedDaemon(startsBridge: false) }

  private func start(_ arguments: String...) throws -> (Process, Pipe) {
    let process = Process()
    let output = Pipe()
    process.executableURL = BuiltProgram.file(named: "signalbox-bridge")
    process.arguments = ["--socket", daemon.socket] + arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    return (process, output)
  }

  /// Each attempt needs a thread and a pipe of its own.
  @Test func `connects once it can again, where it has no thread to do so`() throws {
    let server = try HastyNATSServer(ending: 1)
    defer { server.close() }
    let (process, _) = try start()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try daemon.attach([
      [
        "connection": "fleet", "kind": "nats",
        "settings": ["servers": [.string("nats://127.0.0.1:\(server.port)")]],
      ]
    ])
    let ping = try daemon.next("ping")
    try setDescriptorLimit(3, of: process)
    try daemon.write(["reply": "ping", "id": ping["id"] ?? .null])
    _ = try daemon.next("report") { $0.string("reason") == "no thread can be started" }
    try setDescriptorLimit(256, of: process)
    try daemon.run(until: { server.connections.withLock { $0 } == 2 }, "another connection")
  }

  @Test func `connections that get other settings again and again leave no descriptors behind`() throws {
    let servers = try HastyNATSServer(ending: 0)
    let broker = try ScriptedBroker()
    let web = try TestServer { _, connection, _ in try connection.answer() }
    defer {
      servers.close()
      broker.close()
      web.close()
    }
    let (process, _) = try start()
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    func connections(limit: Double) -> [JSONValue] {
      let port = Double(broker.port)
      return [
        [
          "connection": "fleet", "kind": "nats",
          "settings": ["servers": [.string("nats://127.0.0.1:\(servers.port)")], "limit": .number(limit)],
        ],
        [
          "connection": "home", "kind": "mqtt",
          "settings": ["host": "127.0.0.1", "port": .number(port), "client_id": "box", "limit": .number(limit)],
        ],
        ScriptedDaemon.http(web.url, ["limit": .number(limit)]),
      ]
    }
    func awaitConnections() throws {
      for name in ["fleet", "home", "api"] {
        _ = try daemon.next("report") { $0.string("connection") == name && $0.string("state") == "connected" }
      }
    }
    try daemon.attach(connections(limit: 1))
    try awaitConnections()
    let count = try descriptors(of: process)
    for limit in 2...6 {
      try daemon.write(["event": "declared", "connections": .array(connections(limit: Double(limit)))])
      try awaitConnections()
    }
    try daemon.run(until: { (try? descriptors(of: process)) ?? .max <= count }, "\(count) descriptors")
  }

  private func descriptors(of process: Process) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count
  }

  private func setDescriptorLimit(_ limit: Int, of process: Process) throws {
    let arguments = ["--pid", "\(process.processIdentifier)", "--nofile=\(limit):"]
    try Process.run(URL(fileURLWithPath: "/usr/bin/prlimit"), arguments: arguments).waitUntilExit()
  }

  @Test func `SIGTERM ends it when what runs has been acknowledged`() throws {
    let server = try TestServer { _, connection, server in
      server.waitForGate()
      try connection.answer("200 OK", [], "late")
    }
    defer { server.close() }
    let (process, _) = try start()
    try daemon.attach([ScriptedDaemon.http(server.url, ["concurrent": 1])])
    let task = try daemon.give(["path": "/"])
    try daemon.give(["path": "/waits"])
    try daemon.run(until: { server.requests.count == 1 })
    process.terminate()
    try daemon.run(for: .milliseconds(200))
    #expect(process.isRunning)
    server.openGate()
    #expect(try daemon.acknowledgement(of: task).string("payload") == "late")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(server.requests.count == 1)
    #expect(daemon.all("acknowledge").isEmpty)
  }

  @Test func `the check reports the state of each connection`() throws {
    let server = try TestServer { request, connection, _ in
      switch request.headers["authorization"] {
      case "Bearer unknown": try connection.answer("401 Unauthorized")
      case "Bearer guest": try connection.answer("403 Forbidden")
      default: try connection.answer(request.target == "/folder" ? "403 Forbidden" : "405 Method Not Allowed")
      }
    }
    defer { server.close() }
    let (process, output) = try start("--check")
    try daemon.attach([
      ScriptedDaemon.http(server.url), ScriptedDaemon.http("http://127.0.0.1:1", name: "gone"),
      ScriptedDaemon.http("\(server.url)/folder", name: "folder"),
      ScriptedDaemon.http(server.url, name: "refusing", ["headers": ["authorization": "Bearer unknown"]]),
      ScriptedDaemon.http(server.url, name: "strict", ["headers": ["authorization": "Bearer guest"]]),
    ])
    try daemon.run(until: { !process.isRunning })
    let text = String(decoding: try #require(try output.fileHandleForReading.readToEnd()), as: UTF8.self)
    #expect(process.terminationStatus == 1)
    let lines = text.split(separator: "\n").sorted()
    try #require(lines.count == 5)
    #expect(lines[0] == "api (http): \(server.url) connected: HTTP/1.1, 405 Method Not Allowed")
    #expect(lines[1] == "folder (http): \(server.url)/folder connected: HTTP/1.1, 403 Forbidden")
    #expect(lines[2] == "gone (http): http://127.0.0.1:1 away: no connection to 127.0.0.1 port 1: Connection refused")
    #expect(lines[3] == "refusing (http): \(server.url) refuses the bridge: HTTP/1.1, 401 Unauthorized")
    #expect(lines[4] == "strict (http): \(server.url) refuses the bridge: HTTP/1.1, 403 Forbidden")
    #expect(server.requests.allSatisfy { $0.method == "HEAD" })
  }

  @Test func `a check that the daemon refuses reports the reason`() throws {
    let (process, output) = try start("--check")
    try daemon.refuse("busy")
    try daemon.run(until: { !process.isRunning })
    #expect(process.terminationStatus == 69)
    let text = String(decoding: try #require(try output.fileHandleForReading.readToEnd()), as: UTF8.self)
    #expect(text.contains("not you (busy)"))
  }
}
