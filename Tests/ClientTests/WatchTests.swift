import Foundation
import TestSupport
import Testing

/// The display of `watch`.
struct WatchTests {
  private static let graph = """
    signalbox: 1
    graphs:
      g:
        signals:
          number: {property: {initial: 1, type: number}}
          text: {property: {initial: "a\\u001bb", type: string}}
          ending: {input: {type: number, endable: true}}
      h:
        signals:
          on: {property: {initial: true}}
          off: {property: {initial: false}}
          warm: {property: {initial: 21}, unit_of_measurement: °C}
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
    #expect(try terminal.read(until: "q quit").contains("\u{1b}[7mSIGNAL "))
    _ = try terminal.read(until: "▁▁▁")
    #expect(try Client.run("send", "g.number", "5", socket: daemon.socket).status == 0)
    _ = try terminal.read(until: "▁█")
    #expect(try Client.run("send", "--event", "completed", "g.ending", socket: daemon.socket).status == 0)
    _ = try terminal.read(until: "\u{1b}[1mg.ending      completed ")
    daemon.kill()
    _ = try terminal.read(until: "showing the last values")
    try daemon.start()
    // The property restarts with its first value, and the signal that had ended is live.
    _ = try terminal.read(until: "\u{1b}[7mSIGNAL ")
    _ = try terminal.read(until: "g.number      1 ")
    terminal.type("q")
    _ = try terminal.read(until: "\u{1b}[?1049l")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(terminal.echoes)
  }

  @Test func `a value that the daemon no longer has goes, after a restart and after a reload`() throws {
    let graph = """
      signalbox: 1
      graphs:
        g:
          signals:
            in: {input: {type: number}}
            smoke: {from: in, hold: true}
            sum: {from: in, pipe: [{scan: {initial: 0, next: $state + .}}], hold: true}
      """
    let daemon = try RunningDaemon(graph)
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 6, columns: 90)
    let process = try terminal.run(["watch", "--every", "50ms", "g.*"], socket: daemon.socket, ["TERM": "xterm"])
    _ = try terminal.read(until: "q quit")
    #expect(try Client.run("send", "g.in", "5", socket: daemon.socket).status == 0)
    _ = try terminal.read(until: "g.sum         5 ")
    // It learns that the signal holds the value.
    _ = try terminal.read(until: "▁▁▁▁▁▁▁▁")
    try daemon.write(graph.replacing("initial: 0", with: "initial: 10"))
    #expect(try Client.run("reload", socket: daemon.socket).status == 0)
    _ = try terminal.read(until: "g.sum         - ")
    let page = try terminal.read(until: "q quit") + terminal.read(until: "q quit")
    #expect(page.contains("g.in          5 ") && page.contains("g.smoke       5 "))
    daemon.kill()
    _ = try terminal.read(until: "showing the last values")
    try daemon.start()
    _ = try terminal.read(until: "g.in          - ")
    _ = try terminal.read(until: "g.smoke       - ")
    terminal.type("q")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `true is drawn high and false low, and a value has its unit`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 8, columns: 90)
    let process = try terminal.run(["watch", "--every", "50ms", "h.*"], socket: daemon.socket, ["TERM": "xterm"])
    let page = try terminal.read(until: "██")
    #expect(page.contains("h.on"))
    _ = try terminal.read(until: "21 °C")
    _ = try terminal.read(until: "▁▁")
    terminal.type("q")
    process.waitUntilExit()
    let plain = ["TERM": "xterm", "NO_COLOR": "1"]
    let other = try Terminal(rows: 8, columns: 90)
    #expect(try other.show("get", "h.warm", socket: daemon.socket, environment: plain) == "21 °C\n")
    #expect(try Client.run("get", "h.warm", socket: daemon.socket).output == "21\n")
    #expect(try Client.run("list", "h.warm", socket: daemon.socket).output.contains("\t°C\t"))
    let description = try other.show("describe", "h.warm", socket: daemon.socket, environment: plain)
    #expect(description.hasPrefix("h.warm  property, in °C\n  value: 21 °C\n"))
    let narrow = try Terminal(rows: 60, columns: 80)
    let explanation = try narrow.show("operators", "call", environment: plain)
    #expect(explanation.contains("  action  ") && explanation.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func `a small terminal scrolls, and gives up the curve`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 4, columns: 50)
    let process = try terminal.run(["watch", "--every", "50ms", "g.*"], socket: daemon.socket, ["TERM": "xterm"])
    let page = try terminal.read(until: "1-2 of 3   q quit")
    #expect(page.contains("g.text") && !page.contains("g.ending") && !page.contains("▁"))
    terminal.type("\u{1b}[B")
    #expect(try terminal.read(until: "2-3 of 3").contains("g.ending"))
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `a missing signal is reported before anything is shown`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let result = try Client.run("watch", "g.nmber", socket: daemon.socket)
    #expect(result.status == 68)
    #expect(result.errors.contains("did you mean"))
  }
}
