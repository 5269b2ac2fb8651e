import Foundation
import TestSupport
import Testing

/// The list of signals on a terminal.
struct ListTests {
  private static let graph = """
    signalbox: 1
    graphs:
      cellar:
        signals:
          humidity: {property: {initial: 61, type: number}, unit_of_measurement: "%", doc: What the sensor sends}
          damp: {property: {initial: true}, severity: critical}
          dry: {property: {initial: 61}, severity: {level: warning, when: . < 30}}
          pump: {input: {type: boolean, endable: true}}
      attic:
        signals:
          light: {property: {initial: {on: true}}}
    """

  @Test func `signals stand together by graph, with values, units and failures`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let end = ["send", "--event", "failed", "--code", "stuck", "cellar.pump"]
    #expect(try Client.run(end, socket: daemon.socket).status == 0)
    let plain = ["TERM": "xterm", "NO_COLOR": "1"]
    let terminal = try Terminal(rows: 24, columns: 100)
    let shown = try terminal.show("list", socket: daemon.socket, environment: plain)
    let lines = shown.split(separator: "\n").map(String.init)
    let cellar = try #require(lines.firstIndex(of: "cellar"))
    #expect(lines[0].hasPrefix("SIGNAL "))
    #expect(lines[cellar + 1].split(separator: " ").prefix(3) == ["humidity", "61", "%"])
    #expect(lines[cellar + 1].hasSuffix("What the sensor sends"))
    #expect(lines[cellar + 2].split(separator: " ").prefix(3) == ["damp", "true", "critical"])
    #expect(lines[cellar + 3].split(separator: " ").prefix(3) == ["dry", "61", "-"])
    #expect(lines[cellar + 4].contains("failed: stuck"))
    #expect(shown.contains("\nattic\n  light ") && shown.contains(#"{"on":true}"#))
    // A narrow terminal does without the rights.
    let narrow = try Terminal(rows: 24, columns: 60).show("list", "cellar.*", socket: daemon.socket, environment: plain)
    #expect(narrow.contains("61 %") && narrow.split(separator: "\n").allSatisfy { $0.count <= 60 })
    // In a pipe, lines stay as they are.
    let piped = try Client.run("list", "cellar.humidity", socket: daemon.socket).output
    #expect(piped == "cellar.humidity\tproperty\tsend,subscribe\theld\t-\tWhat the sensor sends\t%\t61\n")
  }

  @Test(arguments: [80, 60])
  func `a line is no longer than the terminal is wide, whatever signals hold and say`(columns: UInt16) throws {
    let daemon = try RunningDaemon(
      """
      signalbox: 1
      graphs:
        observatory:
          signals:
            weather_station_north: {property: {initial: \(String(repeating: "x", count: 90))}, doc: \(String(repeating: "wind ", count: 30))}
            dome: {property: {initial: true}, severity: {level: critical}, doc: The dome is open}
            mount: {input: {endable: true}}
      """)
    defer { daemon.stop() }
    let end = ["send", "--event", "failed", "--code", "stuck_behind_the_wall", "observatory.mount"]
    #expect(try Client.run(end, socket: daemon.socket).status == 0)
    let shown = try Terminal(rows: 24, columns: columns).show(
      "list", socket: daemon.socket, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(shown.contains("weather_station_north") && shown.contains("xxx…"))
    #expect(shown.split(separator: "\n").allSatisfy { $0.count <= columns }, "\(shown)")
  }
}
