import Foundation
import JSON
import TestSupport
import Testing

/// Commands that read the folder of durable graphs, beside a daemon and without one.
@Suite struct StateTests {
  static let graphs = """
    graphs:
      meter:
        durable: true
        signals:
          pulse: {input: {}}
          total: {from: pulse, pipe: [{scan: {initial: 0, next: "$state + ."}}], hold: true}
      home:
        durable: true
        signals:
          temp: {input: {}}
          warm: {from: temp, pipe: [{filter: ". > 20"}], hold: true}
      lab:
        signals: {raw: {input: {}}}
    """

  @Test func `check against a folder reports what each durable signal would keep or forget, and why`() throws {
    let plant = try Plant(Self.graphs)
    defer { plant.end() }
    try plant.send("meter.pulse", "3", "4")
    let same = try plant.run("check", "--against", plant.state, plant.daemon.configuration)
    #expect(same.output == "keeps meter.pulse\nkeeps meter.total\nkeeps home.temp\nkeeps home.warm\n")
    let changed = try TemporaryFile(
      "signalbox: 1\n"
        + Self.graphs.replacingOccurrences(of: "$state + .", with: "$state - .")
        .replacingOccurrences(of: "temp: {input: {}}", with: "temp: {input: {endable: true}}"))
    let other = try plant.run("check", "--against", plant.state, changed.path)
    #expect(
      other.output == """
        keeps meter.pulse
        would forget meter.total: scan, 1 value held (changed)
        home.temp would restart without loss of state (changed)
        home.warm would restart without loss of state (computed from home.temp)

        """)
    #expect(other.status == 0)
    let text = try plant.run("check", "--format", "json", "--against", plant.state, changed.path).output
    #expect(text.contains(#""kept":["meter.pulse"]"#))
    #expect(
      text.contains(#"{"signal":"meter.total","because":"changed","memories":["scan"],"values":1}"#))
  }

  @Test func `check against a folder needs no daemon, and refuses what holds no state`() throws {
    let plant = try Plant(Self.graphs)
    defer { plant.end() }
    try plant.send("meter.pulse", "3")
    plant.daemon.kill()
    let kept = try plant.run("check", "--against", plant.state, plant.daemon.configuration)
    #expect(kept.output.hasPrefix("keeps meter.pulse\n"))
    let nothing = try plant.run("check", "--against", plant.folder.path, plant.daemon.configuration)
    #expect(nothing.status == 66 && nothing.errors.contains("holds no state of durable graphs"))
    #expect(try plant.run("check", "--unit", "--against", plant.state).status == 64)
  }

  @Test func `state describes the folder and each durable graph, beside the daemon and without it`() throws {
    let plant = try Plant(Self.graphs)
    defer { plant.end() }
    try plant.send("meter.pulse", "3", "4", "5")
    try plant.send("home.temp", "21")
    for isRunning in [true, false] {
      if !isRunning { plant.daemon.kill() }
      let state = try plant.object("state", "--json", "--config", plant.daemon.configuration)
      #expect(state["folder"]?.plain == .string(plant.state))
      #expect((state["process"] == .null) == !isRunning)
      guard case .object(let recovery)? = state["recovery"], case .array(let graphs)? = state["graphs"] else {
        Issue.record("\(state)")
        return
      }
      #expect(recovery["rate"] == 500_000)
      #expect(recovery["commits"] != 0)
      let counts = graphs.map { graph -> String in
        guard case .object(let graph) = graph else { return "" }
        return ["graph", "signals", "values"].map { graph[$0]?.description ?? "-" }.joined(separator: " ")
      }
      #expect(counts == [#""meter" 2 3"#, #""home" 2 1"#])
    }
    let lines = try plant.run("state", "--state", plant.state).output.split(separator: "\n")
    let recovery = try #require(lines.first { $0.hasPrefix("recovery\t") })
    #expect(recovery.hasPrefix("recovery\tless than 1s for ") && recovery.hasSuffix(", at 500000 a second"))
    #expect(lines.contains { $0.hasPrefix("meter\t2\t") })
  }

  private static let kept = """
    graphs:
      meter:
        durable: {history: {for: 1h}}
        signals:
          pulse: {input: {endable: true}, pipe: [{map: ". * 10"}]}
          total: {from: pulse, pipe: [{scan: {initial: 0, next: "$state + ."}}], hold: true}
          seen: {from: lab.raw, hold: true}
      lab:
        signals: {raw: {input: {}}}
    """

  @Test func `history prints what entered, over restarts, and a simulation goes the same way`() throws {
    let plant = try Plant(Self.kept)
    defer { plant.end() }
    try plant.send("meter.pulse", "1", "2")
    try plant.send("lab.raw", "\"x\"")
    // Its signal is not durable, so the answer does not wait for the disk; that of a durable dependent does.
    #expect(
      try Client.run("subscribe", "--take", "1", "meter.seen", socket: plant.daemon.socket).output == "\"x\"\n")
    plant.daemon.kill()
    try plant.daemon.start()
    try plant.send("meter.pulse", "3")
    #expect(try Client.run("send", "--event", "completed", "meter.pulse", socket: plant.daemon.socket).status == 0)
    let history = try plant.run("history", "--state", plant.state, "meter.*", "lab.*").output
    #expect(try plant.run("history", "--state", plant.state).output == history)
    let lines = history.split(separator: "\n").map { line in
      line.replacing(#/"at":"[^"]*",?/#, with: "").replacing(",}", with: "}")
    }
    #expect(
      lines == [
        #"{"signal":"meter.pulse","value":1}"#, #"{"signal":"meter.pulse","value":2}"#,
        #"{"event":"next","signal":"lab.raw","seq":1,"value":"x"}"#, #"{"signal":"meter.pulse","value":3}"#,
        #"{"event":"completed","signal":"meter.pulse"}"#,
      ])
    let simulated = try Client.run("simulate", plant.daemon.configuration, "meter.total", "meter.seen", input: history)
    let values = simulated.output.split(separator: "\n").map { $0.replacing(#/,"at":"[^"]*"/#, with: "") }
    #expect(
      values == [
        #"{"event":"next","signal":"meter.total","seq":1,"value":10}"#,
        #"{"event":"next","signal":"meter.total","seq":2,"value":30}"#,
        #"{"event":"next","signal":"meter.seen","seq":1,"value":"x"}"#,
        #"{"event":"next","signal":"meter.total","seq":3,"value":60}"#,
        #"{"event":"completed","signal":"meter.total"}"#,
      ])
    #expect(try plant.run("history", "--state", plant.state, "--until", "1h", "meter.*").output.isEmpty)
    #expect(try plant.run("history", "--state", plant.state, "--since", "1h", "meter.pulse").output.contains("3}"))
    let future = try plant.run(
      "history", "--values", "--since", "2099-01-01T00:00:00Z", "--state", plant.state, "meter.total")
    #expect(future.status == 0 && future.output.hasPrefix(#"{"event":"begin","at":"2099-"#))
    let unknown = try plant.run("history", "--state", plant.state, "meter.puls")
    #expect(unknown.status == 68 && unknown.errors.contains("did you mean meter.pulse?"))
    #expect(try plant.run("history", "--state", plant.state, "--since", "yesterday", "meter.*").status == 64)
  }

  private static let alarm = """
    graphs:
      room:
        durable: true
        access: {send: ["uid:4711"]}
        signals:
          raw: {input: {type: number}}
          limit: {property: {initial: 25}}
          hot: {combine: {t: raw, limit: limit}, pipe: [{map: .t > .limit}, skip_repeats, {debounce: 50ms}], hold: true}
    """

  @Test func `a span of a running daemon is printed as a test that passes, and fails with another threshold`() throws {
    let plant = try Plant(Self.alarm)
    defer { plant.end() }
    try plant.send("room.limit", "30")
    for (value, outcome) in [("20", "false"), ("31.5", "true"), ("29", "false")] {
      try plant.send("room.raw", value)
      let next = ["subscribe", "--take", "1", "--where", ". == \(outcome)", "room.hot"]
      #expect(try Client.run(next, socket: plant.daemon.socket).output == outcome + "\n")
    }
    let history = ["history", "--state", plant.state, "--test", "a \"hot\" room"]
    let test = try Client.run(history, socket: plant.daemon.socket)
    #expect(test.status == 0 && test.errors.isEmpty)
    func outcome(_ graphs: String) throws -> Client.Result {
      let file = try TemporaryFile("signalbox: 1\n\(graphs)\n    tests:\n\(test.output)")
      return try Client.run("test", "--verbose", file.path)
    }
    let same = try outcome(Self.alarm)
    #expect(same.status == 0 && same.output.contains("passed: room: a \"hot\" room"), "\(test.output) \(same.output)")
    let other = try outcome(Self.alarm.replacingOccurrences(of: ".t > .limit", with: ".t > .limit + 2"))
    #expect(other.status == 1 && other.output.contains("hot"))
    #expect(try Client.run(history + ["room.hto"]).errors.contains("did you mean room.hot?"))
    #expect(try Client.run(history + ["--until", "1h"]).status == 1)
  }

  @Test func `without history the past ends at the newest snapshot`() throws {
    let plant = try Plant(Self.graphs)
    defer { plant.end() }
    try plant.send("meter.pulse", "1")
    plant.daemon.kill()
    try plant.daemon.start()
    try plant.send("meter.pulse", "2")
    let history = try plant.run("history", "--state", plant.state, "meter.*").output
    #expect(history.contains(#""value":2}"#) && !history.contains(#""value":1}"#))
  }

  @Test func `a reset restarts one graph, with its numbers, and leaves the others as they are`() throws {
    let plant = try Plant(
      Self.graphs.replacingOccurrences(
        of: "  lab:",
        with: """
            sums:
              durable: true
              signals:
                half: {from: meter.total, pipe: [{map: ". / 2"}, {scan: {initial: 0, next: "$state + ."}}], hold: true}
            lab:
          """))
    defer { plant.end() }
    try plant.send("meter.pulse", "3", "4")
    try plant.send("home.temp", "30")
    let message = ["--message-id", "m1", "meter.pulse", "5"]
    #expect(try Client.run(["send"] + message, socket: plant.daemon.socket).status == 0)
    let running = try plant.run("state", "reset", "--state", plant.state, "meter")
    #expect(running.status == 75 && running.errors.contains("is locked by process"))
    let told = """
      meter.pulse was reset
      meter.total was reset
      sums.half was reset (computed from reset signals)

      """
    let dry = try plant.run("state", "reset", "--dry-run", "--state", plant.state, "meter")
    #expect(dry.output == told.replacingOccurrences(of: "was reset", with: "would be reset"))
    plant.daemon.kill()
    let unknown = try plant.run("state", "reset", "--state", plant.state, "metre")
    #expect(unknown.status == 68 && unknown.errors.contains("did you mean meter?"))
    #expect(try plant.run("state", "reset", "--state", plant.state, "meter").output == told)
    try plant.daemon.start()
    #expect(try plant.run("get", "meter.total").status == 75)
    #expect(try plant.run("get", "home.warm").output == "30\n")
    #expect(try Client.run(["send"] + message, socket: plant.daemon.socket).status == 0)
    #expect(try plant.run("get", "--json", "meter.total").output.contains(#""seq":4,"value":5"#))
    #expect(try plant.run("get", "--json", "sums.half").output.contains(#""seq":4,"value":2.5"#))
  }

  @Test func `durable graphs continue in another folder, with their numbers in an epoch of their own`() throws {
    let (plant, other) = (try Plant(Self.graphs), try Plant("graphs: {}"))
    defer {
      plant.end()
      other.end()
    }
    try plant.send("meter.pulse", "3", "4")
    let file = TemporaryFolder()
    let path = file("graphs.state")
    try Data().write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = Client.program
    process.arguments = ["state", "export", "--state", plant.state]
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let occupied = try plant.run("state", "import", "--state", plant.state, path)
    #expect(occupied.status == 75)
    other.daemon.kill()
    try FileManager.default.createDirectory(atPath: other.state, withIntermediateDirectories: false)
    #expect(
      try other.run("state", "import", "--state", other.state, path).output
        == "imported meter, home into \(other.state)\n")
    #expect(try other.run("state", "import", "--state", other.state, path).errors.contains("already holds a state"))
    try other.daemon.write("signalbox: 1\nserver: {state: \"\(other.state)\"}\n\(Self.graphs)")
    try other.daemon.start()
    try other.send("meter.pulse", "5")
    #expect(try other.run("get", "--json", "meter.total").output.contains(#""seq":3,"value":12"#))
    let epochs = try [plant, other].map { try $0.object("state", "--json", "--state", $0.state)["epoch"] }
    #expect(epochs[0] != epochs[1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.state).allSatisfy { !$0.contains("signalbox-") })
    let fresh = file("new")
    if getuid() == 0 {
      // The daemon's user could not use files created by root.
      let refused = try other.run("state", "import", "--state", fresh, path)
      #expect(refused.status == 66 && refused.errors.contains("install -d -m 0700 -o USER \(fresh)"))
      #expect(!FileManager.default.fileExists(atPath: fresh))
    }
    try FileManager.default.createDirectory(atPath: fresh, withIntermediateDirectories: false)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var changed = whole
    changed[whole.count / 2] ^= 1
    for content in [Data("no database".utf8), Data(), whole.prefix(whole.count / 2), changed] {
      let damaged = file("damaged")
      try content.write(to: URL(fileURLWithPath: damaged))
      let refused = try other.run("state", "import", "--state", fresh, damaged)
      #expect(refused.status == 65)
      #expect(refused.errors.contains("\(damaged) is not an intact export of `signalbox state export`"))
    }
    #expect(try other.run("state", "import", "--state", fresh, path).status == 0)
  }

  @Test(
    arguments: [
      (["exprot"], "unknown subcommand state exprot; did you mean export?"), (["reset"], "state reset takes one GRAPH"),
      (["import"], "state import takes one FILE, as state export prints it"),
      (["repair", "g"], "state repair takes no operand"),
      (["x"], "unknown subcommand state x; known: reset GRAPH, repair, export, import FILE"),
    ])
  func `invalid arguments are reported with what was expected`(words: [String], complaint: String) throws {
    let run = try Client.run(["state"] + words)
    #expect(run.status == 64 && run.errors.contains(complaint), "\(run.errors)")
  }

  @Test func `a graph that cannot be reset is reported with those that can, and one without signals succeeds`() throws {
    let plant = try Plant("\(Self.graphs)\n  empty: {durable: true, signals: {}}\n")
    defer { plant.end() }
    try plant.send("meter.pulse", "1")
    plant.daemon.kill()
    let unknown = try plant.run("state", "reset", "--state", plant.state, "elsewhere")
    #expect(unknown.status == 68 && unknown.errors.contains("; graphs with state: meter, home, empty"))
    let empty = try plant.run("state", "reset", "--state", plant.state, "empty")
    #expect(empty.status == 0 && empty.output == "empty has no durable signals to reset\n")
  }

  @Test func `the folder is that of the option, then of the configuration, then of the environment`() throws {
    let file = try TemporaryFile("signalbox: 1\nserver: {state: /nowhere/configured}\ngraphs: {}\n")
    let bare = try TemporaryFile("signalbox: 1\ngraphs: {}\n")
    let environment = ["STATE_DIRECTORY": "/nowhere/given:/nowhere/other"]
    func complaint(_ arguments: String...) throws -> String {
      try Client.run(["state"] + arguments, environment: environment).errors
    }
    #expect(try complaint("--state", "/nowhere/named", "--config", file.path).contains("/nowhere/named holds no state"))
    #expect(try complaint("--config", file.path).contains("/nowhere/configured holds no state"))
    #expect(try complaint("--config", bare.path).contains("/nowhere/given holds no state"))
    let shipped = try Client.run("state", "--config", bare.path)
    #expect(shipped.errors.contains("/var/lib/signalbox holds no state") || shipped.status == 0)
  }
}
