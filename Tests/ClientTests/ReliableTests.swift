import Foundation
import Synchronization
import TestSupport
import Testing

/// `send --reliable` with lost connections, a full disk, and a killed daemon.
struct ReliableTests {
  /// Returns the ids of the messages in a client's lines.
  private static func messages(_ lines: [String]) -> [String] {
    lines.compactMap { $0.firstMatch(of: /"message_id":"([^"]*)"/).map { String($0.1) } }
  }

  private static func id(of line: String) -> String {
    line.firstMatch(of: /"id":(\d+)/).map { String($0.1) } ?? ""
  }

  @Test func `what was not answered is sent again with the same ids, in order`() throws {
    let connections = Atomic(0)
    let daemon = try FakeDaemon { line in
      // The first connection takes three lines, answers one, and is closed.
      if connections.load(ordering: .relaxed) == 0 {
        if Self.id(of: line) == "1" { return [#"{"reply":"send","id":1,"signal":"a.b","seq":1}"#] }
        if Self.id(of: line) == "2" { return [] }
        connections.add(1, ordering: .relaxed)
        return nil
      }
      return [#"{"reply":"send","id":\#(Self.id(of: line)),"signal":"a.b","seq":2}"#]
    }
    defer { daemon.stop() }
    let result = try Client.run("send", "--reliable", "a.b", "10", "20", "30", socket: daemon.path)
    #expect(result.status == 0)
    #expect(result.errors.hasSuffix("retrying\nsignalbox: connected\n"))
    let ids = Self.messages(daemon.lines)
    #expect(ids.count == 5 && Set(ids).count == 3)
    #expect(ids.suffix(2) == ids[1...2])
  }

  @Test func `what could not be kept is sent again, and what is refused is not`() throws {
    let tries = Atomic(0)
    let daemon = try FakeDaemon { line in
      let id = Self.id(of: line)
      if id == "2" {
        return [#"{"reply":"error","id":2,"op":"send","error":{"code":"bad_value","message":"no"}}"#]
      }
      if tries.add(1, ordering: .relaxed).newValue < 3 {
        return [#"{"reply":"error","id":\#(id),"op":"send","error":{"code":"storage","message":"full"}}"#]
      }
      return [#"{"reply":"send","id":\#(id),"signal":"a.b","seq":1,"duplicate":true}"#]
    }
    defer { daemon.stop() }
    let result = try Client.run("send", "--reliable", "a.b", "1", "2", socket: daemon.path)
    #expect(result.status == 65)
    #expect(result.errors == "signalbox: value 2: no\n")
    #expect(tries.load(ordering: .relaxed) == 3)
  }

  @Test func `nothing new is sent ahead of what could not be kept`() throws {
    let refusals = Atomic(0)
    let daemon = try FakeDaemon { line in
      let id = Self.id(of: line)
      if id == "1", refusals.add(1, ordering: .relaxed).newValue == 1 {
        return [#"{"reply":"error","id":1,"op":"send","error":{"code":"storage","message":"full"}}"#]
      }
      return [#"{"reply":"send","id":\#(id),"signal":"a.b","seq":1}"#]
    }
    defer { daemon.stop() }
    let result = try Client.run(
      ["send", "--reliable", "a.b", "-"], input: (1...1500).map { "\($0)\n" }.joined(), socket: daemon.path)
    #expect(result.status == 0)
    let ids = daemon.lines.map(Self.id)
    let (again, next) = (ids.lastIndex(of: "1"), ids.firstIndex(of: "1001"))
    #expect(try #require(again) < #require(next))
  }

  @Test func `a time that is over ends it`() throws {
    let daemon = try FakeDaemon { _ in [] }
    defer { daemon.stop() }
    let result = try Client.run("send", "--reliable", "--timeout", "50ms", "a.b", "1", socket: daemon.path)
    #expect(result.status == 75)
    #expect(result.errors.contains("timed out: 1 of 1 unacknowledged"))
    let nowhere = try Client.run("send", "--reliable", "--timeout", "50ms", "a.b", "1", socket: "/nowhere/socket")
    #expect(nowhere.status == 75)
  }

  @Test func `a daemon that is killed over and over gets each value once`() throws {
    let state = TemporaryFolder()
    let daemon = try RunningDaemon(
      """
      signalbox: 1
      server: {state: \(state.path)}
      graphs:
        g:
          durable: true
          signals:
            a: {input: {type: number}}
            sum: {from: a, pipe: [{scan: {initial: 0, next: "$state + ."}}], hold: true}
      """)
    defer { daemon.stop() }
    let process = Process()
    let (input, errors) = (Pipe(), Pipe())
    process.executableURL = Client.program
    process.arguments = ["send", "--reliable", "--socket", daemon.socket, "g.a", "-"]
    process.standardInput = input
    process.standardError = errors
    try process.run()
    for round in 0..<10 {
      let lines = (1...1000).map { "\(round * 1000 + $0)\n" }.joined()
      try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
      daemon.kill()
      try daemon.start()
    }
    try input.fileHandleForWriting.close()
    let told = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(told)")
    #expect(told.contains("retrying"))
    #expect(try Client.run("get", "g.sum", socket: daemon.socket).output == "50005000\n")
  }

  @Test(arguments: [
    (["send", "--reliable", "--event", "completed", "a.b"], "--reliable cannot be combined with --event"),
    (["send", "--timeout", "1s", "a.b", "1"], "--timeout requires --reliable"),
    (["send", "--reliable", "--message-id", "x", "a.b", "1", "2"], "--message-id requires exactly one VALUE"),
  ])
  func `arguments that make no sense are reported`(arguments: [String], message: String) throws {
    let result = try Client.run(arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(message))
  }
}
