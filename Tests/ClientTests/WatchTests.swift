import Foundation
import TestSupport
import Testing

/// What `watch` shows.
struct WatchTests {
  private static let graph = """
    signalbox: 1
    graphs:
      g:
        signals:
          number: {property: {initial: 1, type: number}}
          text: {property: {initial: "a\\u001bb", type: string}}
          ending: {input: {type: number, endable: true}}
    """

  @Test func `in a pipe it prints one table`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let result = try Client.run("watch", "--every", "50ms", "--raw", "g.*", socket: daemon.socket)
    let rows = result.output.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(rows.map { $0[0] } == ["g.number", "g.text", "g.ending"])
    #expect(rows[0][1] == "1" && rows[0][3] == "0" && rows[0][4] == "-")
    #expect(rows[1][1] == #"a\u001bb"#)
  }

  @Test func `in a terminal values change in place, with their age and a curve, through a restart`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 6, columns: 90)
    let process = try terminal.run(["watch", "--every", "50ms", "g.*"], socket: daemon.socket, ["TERM": "xterm"])
    #expect(try terminal.read(until: "q end").contains("\u{1b}[7mSIGNAL "))
    _ = try terminal.read(until: "▁▁▁")
    #expect(try Client.run("send", "g.number", "5", socket: daemon.socket).status == 0)
    _ = try terminal.read(until: "▁█")
    #expect(try Client.run("send", "--event", "completed", "g.ending", socket: daemon.socket).status == 0)
    _ = try terminal.read(until: "\u{1b}[1mg.ending      completed ")
    daemon.kill()
    _ = try terminal.read(until: "these are the last values")
    try daemon.start()
    // The property begins again with its first value, and the signal that had ended lives.
    _ = try terminal.read(until: "\u{1b}[7mSIGNAL ")
    _ = try terminal.read(until: "g.number      1 ")
    terminal.type("q")
    _ = try terminal.read(until: "\u{1b}[?1049l")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(terminal.echoes)
  }

  @Test func `a small terminal scrolls, and gives up the curve`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 4, columns: 50)
    let process = try terminal.run(["watch", "--every", "50ms", "g.*"], socket: daemon.socket, ["TERM": "xterm"])
    let page = try terminal.read(until: "1-2 of 3   q end")
    #expect(page.contains("g.text") && !page.contains("g.ending") && !page.contains("▁"))
    terminal.type("\u{1b}[B")
    #expect(try terminal.read(until: "2-3 of 3").contains("g.ending"))
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `a signal that is not there is told before anything is shown`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let result = try Client.run("watch", "g.nmber", socket: daemon.socket)
    #expect(result.status == 68)
    #expect(result.errors.contains("did you mean"))
  }
}
