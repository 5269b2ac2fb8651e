import Foundation
import TestSupport
import Testing

/// Output that fits the terminal.
struct WidthTests {
  private static let plain = ["TERM": "xterm", "NO_COLOR": "1"]

  private static let graph = """
    signalbox: 1
    graphs:
      climate:
        signals:
          temperature: {property: {initial: 43.660000000000004, type: number}, unit_of_measurement: °C}
          weather: {property: {initial: "a text of many words that says how the weather will be tomorrow and the day after"}}
          tiny: {property: {initial: 0.000123456}}
          exact: {property: {initial: 2.5}, precision: 2}
          odd: {input: {type: number}, pipe: [{call: fail}], hold: true}
        actions:
          fail: {exec: [/bin/sh, -c, "echo this program always fails and says so with a long message >&2; exit 3"]}
    """

  private func lines(_ text: String) -> [String] {
    text.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    ["describe", "climate"], ["values"], ["list"], ["init", "--from", "heatng"], ["get", "climate.wether"],
  ])
  func `a command breaks no word at the end of a line`(arguments: [String]) throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    // The description tells of a failed call, once that has failed.
    #expect(try Client.run("send", "climate.odd", "1", socket: daemon.socket).status == 0)
    while try !Client.run("describe", "climate.odd", socket: daemon.socket).output.contains("exited with status 3") {}
    let terminal = try Terminal(rows: 60, columns: 80)
    let text = try terminal.show(arguments, socket: daemon.socket, environment: Self.plain)
    #expect(lines(text).count > 1 || arguments[0] == "get", "\(text)")
    #expect(lines(text).allSatisfy { $0.count <= 80 }, "\(text)")
  }

  @Test func `an explanation is wrapped below its own column`() throws {
    let plant = try Plant(
      """
      graphs:
        room:
          durable: true
          signals:
            measured_temperature: {input: {type: number}}
            smoothed_temperature: {from: measured_temperature, pipe: [{window: {count: 2}}, {map: add / length}], hold: true}
      """)
    defer { plant.end() }
    try plant.send("room.measured_temperature", "20.25", "31.5", "32.125")
    let terminal = try Terminal(rows: 60, columns: 60)
    let text = try terminal.show(
      ["why", "--state", plant.state, "room.smoothed_temperature"], socket: "/nowhere", environment: Self.plain)
    #expect(text.contains("room.smoothed_temperature 3: 31.8125 at") && text.contains("\n  "), "\(text)")
    #expect(lines(text).allSatisfy { $0.count <= 60 }, "\(text)")
  }

  @Test func `a wrapped line keeps its colours`() throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 60, columns: 50)
    let text = try terminal.show(
      "describe", "climate.weather", socket: daemon.socket, environment: ["TERM": "xterm"])
    let value = lines(text).drop { !$0.contains("value:") }.prefix { !$0.contains("at ") || $0.contains("value:") }
    #expect(value.count > 1 && value.allSatisfy { $0.contains("\u{1b}[1m") }, "\(text)")
  }

  @Test(arguments: [40, 80])
  func `watch keeps names whole, and rounds numbers`(columns: UInt16) throws {
    let daemon = try RunningDaemon(Self.graph)
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 10, columns: columns)
    let process = try terminal.run(
      ["watch", "--every", "50ms", "climate.*"], socket: daemon.socket, ["TERM": "xterm", "NO_COLOR": "1"])
    _ = try terminal.read(until: "q quit")
    _ = try terminal.read(until: "climate.temperature  43.66 °C ")
    let page = try terminal.read(until: "q quit") + terminal.read(until: "q quit")
    #expect(page.contains("climate.tiny         0.00012346 ") && page.contains("climate.exact        2.50 "), "\(page)")
    #expect(page.contains(columns == 80 ? "a text of many words that" : "a text of many"), "\(page)")
    terminal.type("q")
    process.waitUntilExit()
  }

  // MARK: Long names

  private static let house = """
    signalbox: 1
    graphs:
      house_at_the_end_of_the_road:
        signals:
          first_floor_living_room_window_north_outside_temperature: {property: {initial: 43.66}, unit_of_measurement: °C}
          first_floor_living_room_window_south_outside_temperature: {property: {initial: 12.5}, unit_of_measurement: °C}
          heating_is_on_in_first_floor_living_room:
            from: first_floor_living_room_window_north_outside_temperature
            pipe: [{map: . < 15}]
            hold: true
          note: {property: {initial: "a text of many words that says how the weather will be tomorrow"}}
          limited: {input: {type: number}, pipe: [{map: 'if . > 5 then error("too much") else . end'}], on_error: fail, hold: true}
    """
  private static let longName = "house_at_the_end_of_the_road.first_floor_living_room_window_north_outside_temperature"

  @Test(arguments: [40, 80, 120], ["list", "values", "graph"])
  func `long names are shortened to the terminal and still differ`(columns: UInt16, command: String) throws {
    let daemon = try RunningDaemon(Self.house)
    defer { daemon.stop() }
    let file = try TemporaryFile(Self.house, suffix: ".yaml")
    let terminal = try Terminal(rows: 60, columns: columns)
    let arguments = [command] + (command == "graph" ? [file.path] : [])
    let shown = lines(try terminal.show(arguments, socket: daemon.socket, environment: Self.plain))
    #expect(shown.allSatisfy { $0.count <= columns }, "\(shown)")
    let names = shown.filter { $0.contains("nor") || $0.contains("sou") }
    #expect(names.count >= 2 && Set(names.map { $0.split(separator: " ")[0] }).count >= 2, "\(shown)")
  }

  @Test(arguments: ["list", "values"])
  func `names stay whole for a program`(command: String) throws {
    let daemon = try RunningDaemon(Self.house)
    defer { daemon.stop() }
    for options in [[], ["--json"]] {
      let output = try Client.run([command] + options, socket: daemon.socket).output
      #expect(output.contains(Self.longName), "\(output)")
    }
    let terminal = try Terminal(rows: 60, columns: 40)
    let text = try terminal.show([command, "--json"], socket: daemon.socket, environment: Self.plain)
    #expect(text.contains(Self.longName), "\(text)")
  }

  @Test(arguments: [40, 80, 120], ["top", "watch"])
  func `a screen has no line that exceeds it, and tells how to quit`(columns: UInt16, command: String) throws {
    let daemon = try RunningDaemon(Self.house)
    defer { daemon.stop() }
    let terminal = try Terminal(rows: 20, columns: columns)
    let process = try terminal.run(
      [command, "--every", "50ms"] + (command == "watch" ? ["house*.*"] : []), socket: daemon.socket, Self.plain)
    _ = try terminal.read(until: command == "watch" ? "43.66 °C" : "up ")
    _ = try terminal.read(until: "\u{1b}[J")
    let page = try terminal.read(until: "\u{1b}[J")
    terminal.type("q")
    process.waitUntilExit()
    let shown = page.split(whereSeparator: \.isNewline).map { $0.replacing(##/\u{1b}\[[0-9;?]*[a-zA-Z]/##, with: "") }
    #expect(shown.allSatisfy { $0.count <= columns }, "\(shown)")
    #expect(shown.last?.contains("q quit") == true && shown.last?.contains("…") == false, "\(shown)")
    #expect(shown.contains { $0.contains("nor") } && shown.contains { $0.contains("sou") }, "\(shown)")
  }

  @Test func `the description of a failed signal has the value that it held`() throws {
    let daemon = try RunningDaemon(Self.house)
    defer { daemon.stop() }
    let name = "house_at_the_end_of_the_road.limited"
    _ = try Client.run("send", name, "3", socket: daemon.socket)
    _ = try Client.run("send", name, "7", socket: daemon.socket)
    let terminal = try Terminal(rows: 60, columns: 80)
    let shown = lines(try terminal.show(["describe", name], socket: daemon.socket, environment: Self.plain))
    #expect(
      shown.contains("  value: 3") && shown.contains { $0.hasPrefix("  failed: bad_value: too much") }, "\(shown)")
  }
}
