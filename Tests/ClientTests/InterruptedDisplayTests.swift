import Foundation
import Synchronization
import TestSupport
import Testing

/// `watch` and `dev` where a handover has failed for their subscriptions.
@Suite struct `A display whose subscription was interrupted` {
  /// A daemon that interrupts the signal on the first connection, which stays open, and has a newer value on others.
  private func daemon() throws -> FakeDaemon {
    let count = Atomic(0)
    return try FakeDaemon { line in
      let id = line.split(separator: "\"id\":").last.map { String($0.prefix { $0.isNumber }) } ?? ""
      if line.contains("\"hello\"") { return FollowTests.hello("e", id) }
      if line.contains("\"ping\"") { return FollowTests.pong(id) }
      if line.contains("\"list\"") { return [#"{"reply":"list","id":\#(id),"signals":[]}"#] }
      if line.contains("\"values\"") {
        return [#"{"reply":"values","id":\#(id),"values":[{"signal":"g.a","seq":1,"value":10}]}"#]
      }
      let isFirst = count.add(1, ordering: .relaxed).oldValue == 0
      let events =
        isFirst ? [FollowTests.next("g.a", 1), FollowTests.interrupted("g.a")] : [FollowTests.next("g.a", 3)]
      return FollowTests.subscribed(id, ["g.a": 3]) + events
    }
  }

  @Test func `watch resumes it by another connection, and shows the last values until then`() throws {
    let daemon = try daemon()
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 6, columns: 90)
    let process = try terminal.run(["watch", "--every", "50ms", "g.a"], socket: daemon.path, ["TERM": "xterm"])
    let page = try terminal.read(until: "g.a           30 ")
    #expect(page.contains("g.a was interrupted: restarted; showing the last values"))
    #expect(page.contains("g.a           10 "))
    terminal.type("q")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `watch in a pipe fails as if the connection had been lost`() throws {
    let daemon = try daemon()
    defer { daemon.stop() }
    let result = try Client.run("watch", "--every", "50ms", "g.a", socket: daemon.path)
    #expect(result.status == 69)
    #expect(result.errors == "signalbox: g.a was interrupted: restarted\n")
  }

  @Test func `dev resumes it by another connection to the same daemon`() throws {
    let daemon = try daemon()
    defer { daemon.stop() }
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder("run"), withIntermediateDirectories: true)
    try "signalbox: 1\ngraphs: {g: {signals: {a: {input: {}}}}}\n".write(
      toFile: folder("g.yaml"), atomically: true, encoding: .utf8)
    // The daemon is the program beside this one.
    let program = URL(fileURLWithPath: folder("signalbox"))
    try FileManager.default.copyItem(at: Client.program, to: program)
    let script = """
      #!/bin/sh
      ln -s "$FAKE_DAEMON" "$SIGNALBOX_PRIVATE_DIRECTORY/socket"
      exec sleep 60
      """
    try script.write(toFile: folder("signalboxd"), atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder("signalboxd"))
    let terminal = try Terminal(rows: 30, columns: 100)
    let process = try terminal.run(
      program: program, ["dev", folder("g.yaml")], socket: "/nowhere",
      [
        "TERM": "xterm", "NO_COLOR": "1", "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder("run"),
        "FAKE_DAEMON": daemon.path,
      ])
    let page = try terminal.read(until: "g.a           30 ")
    #expect(page.contains("connected again") && !page.contains("interrupted"))
    terminal.type("q")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
