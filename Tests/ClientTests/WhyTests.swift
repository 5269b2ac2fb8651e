import Foundation
import TestSupport
import Testing

/// `signalbox why` and past values in `get`, `simulate` and `test`, beside a running daemon and without one.
struct WhyTests {
  private static let graphs = """
    graphs:
      room:
        durable: {history: {for: 1h}}
        signals:
          raw: {input: {type: number}}
          limit: {property: {initial: 25}}
          hot: {combine: {t: raw, limit: limit}, pipe: [{map: .t > .limit}, skip_repeats], hold: true}
        tests: [{given: {raw: '1'}, expect: {hot: 't'}}]
    """

  @Test func `a value is explained beside the running daemon, as text, JSON and a picture`() throws {
    let plant = try Plant(Self.graphs)
    defer { plant.end() }
    try plant.send("room.raw", "20", "31.5", "32")
    let text = try plant.run("why", "--state", plant.state, "--verify", "room.hot")
    #expect(text.status == 0 && text.errors.isEmpty)
    let lines = text.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("room.hot 2: true at ") == true)
    #expect(lines.contains { $0.hasPrefix("← combine: {\"t\":31.5,\"limit\":25}") }, "\(text.output)")
    let needs = lines.firstIndex { $0.hasPrefix("needs 2 of ") && $0.hasSuffix("; verified by replay") }
    #expect(needs != nil && lines.last?.hasPrefix("  sent to room.raw by ") == true, "\(text.output)")
    let json = try plant.run("why", "--state", plant.state, "--json", "room.hot", "1").output
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let node = try #require(object["why"] as? [String: Any])
    #expect(node["kind"] as? String == "signal" && node["seq"] as? Int == 1 && node["value"] as? Bool == false)
    let picture = try plant.run("why", "--state", plant.state, "--format", "svg", "room.hot").output
    #expect(picture.hasPrefix("<svg") && picture.contains("31.5"))
    let silence = try plant.run("why", "--state", plant.state, "--not", "room.hot", "--at", "0s").output
    #expect(silence.contains("skip_repeats of room.hot emitted nothing for true, remembering true"), "\(silence)")
  }

  @Test func `a value of the past is printed, by its number and by a time, also when the daemon has gone`() throws {
    let plant = try Plant(Self.graphs)
    defer { plant.end() }
    try plant.send("room.raw", "20", "31.5")
    plant.daemon.kill()
    #expect(try plant.run("get", "--state", plant.state, "--seq", "1", "room.raw").output == "20\n")
    #expect(try plant.run("get", "--state", plant.state, "--at", "0s", "room.raw").output == "31.5\n")
    #expect(
      try plant.run("get", "--state", plant.state, "--seq", "2", "--json", "room.raw").output.contains("\"seq\":2"))
    #expect(try plant.run("why", "--state", plant.state, "room.raw", "1").output.contains("room.raw 1: 20 at "))
  }

  @Test(
    arguments: [
      (["why"], 64, "missing operand"),
      (["why", "room.hto"], 68, "did you mean room.hot?"),
      (["why", "room.hot", "0"], 64, "SEQ must be the sequence number"),
      (["why", "room.hot", "9"], 75, "room.hot has emitted no value 9"),
      (["why", "room.hot", "1", "--at", "1h"], 64, "either SEQ or --at"),
      (["why", "--at", "1h", "room.hot"], 75, "the history begins at"),
      (["why", "--at", "yesterday", "room.hot"], 64, "--at must be a timestamp such as"),
      (["why", "--not", "room.hot", "1"], 64, "--not takes a SIGNAL"),
      (["why", "--not", "--at", "1h", "room.hot"], 75, "the history begins at"),
      (["why", "--not", "--at", "0s", "--format", "svg", "room.hot"], 64, "--not requires --format text or json"),
      (["why", "--depth", "101", "room.hot"], 64, "--depth must be a number from 0 to 100"),
      (["why", "--format", "png", "room.hot"], 64, "--format must be text, json or svg"),
      (["get", "--seq", "7", "room.hot"], 75, "room.hot has emitted no value 7"),
      (["get", "--seq", "1", "--at", "1h", "room.hot"], 64, "either --seq or --at"),
      (["get", "--seq", "1", "--wait", "room.hot"], 64, "--wait cannot be combined with --seq or --at"),
      (["get", "room.hot"], 64, "require --seq or --at"),
    ] as [([String], Int32, String)])
  func `an error is reported with what to do`(arguments: [String], status: Int32, message: String) throws {
    let plant = try Plant(Self.graphs)
    defer { plant.end() }
    try plant.send("room.raw", "20")
    let result = try Client.run(
      [arguments[0], "--state", plant.state] + arguments.dropFirst(), socket: plant.daemon.socket)
    #expect(result.status == status && result.errors.contains(message), "\(result.status) \(result.errors)")
  }

  @Test func `the folder is that of the daemon at the socket`() throws {
    let plant = try Plant(Self.graphs)
    defer { plant.end() }
    try plant.send("room.raw", "20", "31.5")
    #expect(try plant.run("why", "room.hot").output.hasPrefix("room.hot 2: true at "))
    #expect(try plant.run("get", "--seq", "1", "room.raw").output == "20\n")
    #expect(try plant.run("history", "room.raw").output.contains("31.5"))
    #expect(try plant.run("state").output.contains("folder\t\(plant.state), "))
    let named = try Client.run("state", "--socket", plant.daemon.socket)
    #expect(named.output.contains("folder\t\(plant.state), "))
  }

  @Test(arguments: [["why", "room.hot"], ["history", "room.hot"], ["state"], ["get", "--seq", "1", "room.hot"]])
  func `without a daemon at the socket that was named the options for the folder are suggested`(
    arguments: [String]
  ) throws {
    let result = try Client.run(arguments, socket: "/nowhere/socket")
    #expect(result.status == 69 && result.errors.contains("give the folder with --state DIR"), "\(result)")
  }

  @Test func `a graph that is not durable is reported as that, by its file and by its daemon`() throws {
    let file = try TemporaryFile("signalbox: 1\ngraphs: {h: {signals: {a: {input: {}}}}}\n")
    for command in [["why", "h.a"], ["why", "--not", "h.a"], ["get", "--seq", "1", "h.a"], ["history", "h.a"]] {
      let result = try Client.run(command + ["--config", file.path])
      #expect(result.status == 68 && result.errors.contains("graph \"h\" is not durable in \(file.path)"), "\(result)")
    }
    let plant = try Plant(Self.graphs + "\n  h: {signals: {a: {input: {}}}}")
    defer { plant.end() }
    for command in [["why", "h.a"], ["why", "--not", "h.a"], ["get", "--seq", "1", "h.a"], ["history", "h.a"]] {
      let result = try Client.run(command, socket: plant.daemon.socket)
      #expect(result.status == 68 && result.errors.contains("graph \"h\" is not durable"), "\(result)")
    }
    let daemon = try RunningDaemon("signalbox: 1\ngraphs: {h: {signals: {a: {input: {}}}}}\n")
    defer { daemon.stop() }
    let result = try Client.run("state", socket: daemon.socket)
    let message = "no graph in \(daemon.configuration) is durable"
    #expect(result.status == 66 && result.errors.contains(message), "\(result)")
  }

  @Test func `a folder without state is reported`() throws {
    let result = try Client.run("why", "--state", "/nowhere", "room.hot")
    #expect(result.status == 66 && result.errors.contains("/nowhere holds no state"), "\(result.errors)")
  }

  @Test func `a value of a recording is explained, and what a test did not expect`() throws {
    let file = try TemporaryFile("signalbox: 1\n\(Self.graphs)\n")
    let recording = """
      {"at":"1s","signal":"room.raw","value":20}
      {"at":"2s","signal":"room.raw","value":30}
      """
    let simulated = try Client.run("simulate", "--why", "room.hot:2", file.path, input: recording)
    #expect(simulated.status == 0 && simulated.output.hasPrefix("room.hot 2: true at 2s\n"), "\(simulated)")
    let none = try Client.run("simulate", "--why", "room.hot:3", file.path, input: recording)
    #expect(none.status == 75 && none.errors.contains("room.hot emitted no value 3"))
    let unknown = try Client.run("simulate", "--why", "room.hto", file.path, input: recording)
    #expect(unknown.status == 68 && unknown.errors.contains("did you mean room.hot?"))
    let tested = try Client.run("test", "--why", file.path)
    #expect(tested.status == 1 && tested.output.contains("← combine: {\"t\":1,\"limit\":25}"), "\(tested.output)")
    #expect(try !Client.run("test", file.path).output.contains("why"))
  }

  @Test func `a recording knows of no value of a cold signal`() throws {
    let file = try TemporaryFile(
      "signalbox: 1\ngraphs: {g: {signals: {in: {input: {}}, run: {from: in, cold: true}}}}\n")
    let result = try Client.run(
      "simulate", "--why", "g.run", file.path, input: #"{"at":"1s","signal":"g.in","value":20}"# + "\n")
    #expect(result.status == 75 && result.errors.contains("g.run is cold"), "\(result)")
  }

  @Test func `a value that came through a thousand signals is explained`() throws {
    let signals = (1...1000).map { "      s\($0): {from: s\($0 - 1), pipe: [skip_repeats, {map: . + 1}]}" }
    let head = ["signalbox: 1", "graphs:", "  g:", "    signals:", "      s0: {input: {}}"]
    let file = try TemporaryFile((head + signals).joined(separator: "\n") + "\n")
    let recording = #"{"at":"1s","signal":"g.s0","value":1}"#
    let simulated = try Client.run("simulate", "--why", "g.s1000", file.path, input: recording)
    #expect(simulated.status == 0 && simulated.output.hasSuffix(", and so on\n"), "\(simulated.status)")
  }
}
