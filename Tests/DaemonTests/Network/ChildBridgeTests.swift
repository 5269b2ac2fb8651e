import Foundation
import Glibc
import TestSupport
import Testing

/// The adapter that the daemon starts itself.
@Suite struct `The bridge as a child of the daemon` {
  private static let server = "{bridge: child, connections: {api: {http: 'http://127.0.0.1:9'}}}"

  /// The processes of the bridge that a daemon has as children.
  private static func bridges(of daemon: TestDaemon) throws -> [Int32] {
    let identifier = try #require(daemon.host as? ProgramHost).process.identifier
    let children = try String(contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8)
    return children.split(separator: " ").compactMap { Int32($0) }.filter { child in
      let name = try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)
      return name == "signalbox-bridg\n"
    }
  }

  /// Waits for a child that is none of those that were there.
  private static func bridge(of daemon: TestDaemon, besides former: [Int32] = []) throws -> Int32 {
    var found: Int32?
    let client = try daemon.connect()
    try daemon.iteration {
      found = try bridges(of: daemon).first { !former.contains($0) }
      // An answer takes a moment of the daemon's.
      _ = try client.ask("ping")
      return found != nil
    }
    return try #require(found)
  }

  @Test func `is started where there are connections, again when it is killed, and ends with the daemon`() throws {
    let daemon = try HostKind.program.start("g: {signals: {a: {input: {}}}}", server: Self.server)
    let first = try Self.bridge(of: daemon)
    kill(first, SIGKILL)
    let second = try Self.bridge(of: daemon, besides: [first])
    let process = try #require(daemon.host as? ProgramHost).process
    process.signal(SIGTERM)
    #expect(try process.waitForExit() == 0)
    #expect(kill(second, 0) == -1)
  }

  @Test func `has its messages in the log of the daemon as records, and the states of connections once`() throws {
    let daemon = try HostKind.program.start(
      "g: {signals: {s: {http: {connection: api, every: 1h}}}}", server: Self.server)
    let process = try #require(daemon.host as? ProgramHost).process
    try process.waitForOutput(
      containing: "connection api is away: no connection to 127.0.0.1 port 9: Connection refused")
    kill(try Self.bridge(of: daemon), SIGTERM)
    try process.waitForOutput(containing: "signalbox-bridge ended")
    let lines = process.output.split(separator: "\n")
    #expect(lines.count { $0.contains("connection api is away: no connection") } == 1)
    let attached = #""level":"notice","message":"signalbox-bridge: attached to the daemon","connections":"1""#
    #expect(lines.contains { $0.contains(attached) })
    #expect(!process.output.contains(#"\""#))
  }

  @Test func `ends for another adapter, and is started again when that has gone`() throws {
    let daemon = try HostKind.program.start("g: {signals: {a: {input: {}}}}", server: Self.server)
    let first = try Self.bridge(of: daemon)
    do {
      let adapter = try ScriptedAdapter(daemon)
      #expect(adapter.welcome.contains(#""reply":"attach""#))
      #expect(try Self.bridges(of: daemon).isEmpty)
    }
    _ = try Self.bridge(of: daemon, besides: [first])
  }

  @Test func `is restarted by a handover, and started by a reload that brings connections`() throws {
    let daemon = try HostKind.program.start("g: {signals: {a: {input: {}}}}")
    #expect(try Self.bridges(of: daemon).isEmpty)
    try daemon.folder.writeConfiguration("g: {signals: {a: {input: {}}}}", server: Self.server)
    #expect(try daemon.connect().ask("reload").contains(#""reply":"reload""#))
    let first = try Self.bridge(of: daemon)
    let process = try #require(daemon.host as? ProgramHost).process
    process.signal(SIGUSR2)
    try process.waitForOutput(containing: "resumed the state of process")
    _ = try Self.bridge(of: daemon, besides: [first])
    try daemon.folder.writeConfiguration("g: {signals: {a: {input: {}}}}")
    #expect(try daemon.connect().ask("reload").contains(#""reply":"reload""#))
    // It has time to remove what it has left at its peers.
    let client = try daemon.connect()
    try daemon.iteration {
      _ = try client.ask("ping")
      return try Self.bridges(of: daemon).isEmpty
    }
  }

  @Test func `stays where another adapter is refused, and serves the kinds that one leaves to it`() throws {
    let daemon = try HostKind.program.start(
      "g: {signals: {a: {input: {}}}}",
      server:
        "{bridge: child, connections: {api: {http: 'http://127.0.0.1:9'}, home: {mqtt: 'mqtt://127.0.0.1:9'}, plant: {adapter: modbus}}}"
    )
    let first = try Self.bridge(of: daemon)
    let modbus = try ScriptedAdapter(daemon, kind: "modbus")
    let refused = try daemon.connect().ask(#"{"op":"attach","id":1,"kinds":["modbus","http"]}"#)
    #expect(refused.contains(#""code":"busy""#))
    #expect(try Self.bridges(of: daemon) == [first])
    do {
      let http = try ScriptedAdapter(daemon)
      #expect(http.welcome.contains(#""reply":"attach""#))
      let second = try Self.bridge(of: daemon, besides: [first])
      let mqtt = try daemon.connect()
      try daemon.iteration { try mqtt.ask(#"{"op":"attach","id":1,"kinds":["mqtt"],"check":true}"#).contains("mqtt") }
      #expect(try Self.bridges(of: daemon) == [second])
      try http.client.expectNothing()
    }
    _ = try Self.bridge(of: daemon, besides: [first])
    try modbus.client.expectNothing()
  }
}
