import Foundation
import TestSupport
import Testing

struct SimulateTests {
  private static let graph = """
    signalbox: 1
    graphs:
      g:
        signals:
          raw: {input: {}}
          limit: {property: {initial: 5}}
          high: {combine: [raw, limit], pipe: [{map: '.[0] > .[1]'}, skip_repeats]}
          late: {from: high, private: true, pipe: [{debounce: 2s}]}
    """
  private static let events = """
    {"at":"2026-05-01T12:00:00Z","signal":"g.raw","value":3}

    {"at":"2026-05-01T12:00:01.5Z","signal":"g.raw","value":9}

    """

  private static let clock = """
    signalbox: 1
    graphs:
      g:
        signals:
          raw: {input: {}}
          day: {from: raw, pipe: [{map: now | todate}]}
          dawn: {at: '06:00', timezone: UTC}
    """

  @Test(arguments: [
    (["g.f.*"], ["g.f.executing", "g.f.enabled"]), (["g.*"], ["g.on", "g.seen"]), (["g.hidden"], ["g.hidden"]),
    (["g.c*"], []), (["g.f.condition"], []), (["g.hid*"], []),
  ])
  func `patterns select what subscriptions to them would`(operands: [String], signals: [String]) throws {
    let file = try TemporaryFile(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            on: {property: {initial: true}}
            hidden: {from: on, private: true}
            seen: {from: hidden}
            cold: {from: on, cold: true}
          actions:
            f: {exec: ["true"], enabled_if: on}
      """)
    let result = try Client.run(["simulate", file.path] + operands, input: "")
    let emitted = result.output.split(separator: "\n").compactMap { $0.firstMatch(of: /"signal":"([^"]+)"/)?.1 }
    #expect(emitted.map(String.init) == signals)
    #expect(signals.isEmpty ? result.errors.contains("no signal \(operands[0])") : result.status == 0)
  }

  @Test func `a simulation begins at the time of day that it is given`() throws {
    let file = try TemporaryFile(Self.clock)
    let lines = """
      {"at":"1h","signal":"g.raw","value":1}
      {"at":"2026-05-01T06:30:00+01:00","signal":"g.raw","value":2}

      """
    let result = try Client.run("simulate", "--start", "2026-05-01T04:00:00Z", "--until", "3h", file.path, input: lines)
    #expect(
      result.output == """
        {"event":"next","signal":"g.day","seq":1,"value":"2026-05-01T05:00:00Z","at":"2026-05-01T05:00:00.000000Z"}
        {"event":"next","signal":"g.day","seq":2,"value":"2026-05-01T05:30:00Z","at":"2026-05-01T05:30:00.000000Z"}
        {"event":"next","signal":"g.dawn","seq":1,"value":"2026-05-01T06:00:00Z","at":"2026-05-01T06:00:00.000000Z"}

        """)
    let why = try Client.run(
      "simulate", "--start", "2026-05-01T04:00:00Z", "--until", "3h", "--why", "g.dawn", file.path, input: lines)
    #expect(why.status == 0 && why.output.contains("2026-05-01T06:00:00.000000Z"))
  }

  @Test(arguments: [
    (["--start", "1h"], "--start must be a time such as 2026-05-01T12:00:00Z, not 1h"),
    (["--start", "2026-05-02T00:00:00Z"], "line 1: 2026-05-01T12:00:00.000000Z is before the start, 2026-05-02"),
  ])
  func `a start that is none, or comes after the first line, is refused`(options: [String], message: String) throws {
    let file = try TemporaryFile(Self.graph)
    let result = try Client.run(["simulate"] + options + [file.path], input: Self.events)
    #expect(result.status != 0 && result.errors.contains(message))
  }

  @Test func `recorded events are replayed, and what comes out is printed`() throws {
    let file = try TemporaryFile(Self.graph)
    let expected = """
      {"event":"next","signal":"g.limit","seq":1,"value":5,"at":"2026-05-01T12:00:00.000000Z"}
      {"event":"next","signal":"g.high","seq":1,"value":false,"at":"2026-05-01T12:00:00.000000Z"}
      {"event":"next","signal":"g.high","seq":2,"value":true,"at":"2026-05-01T12:00:01.500000Z"}

      """
    let result = try Client.run("simulate", file.path, input: Self.events)
    #expect(result.status == 0)
    #expect(result.output == expected)
    #expect(try Client.run("simulate", file.path, input: expected.replacing("high", with: "raw")).status == 0)
    #expect(
      try Client.run("simulate", "--until", "1h", file.path, "g.late", input: Self.events).output
        == "{\"event\":\"next\",\"signal\":\"g.late\",\"seq\":1,\"value\":true,\"at\":\"2026-05-01T12:00:03.500000Z\"}\n"
    )
  }

  @Test(arguments: [
    #"{"at":"1s","signal":"g.raw","value":{"a":{"b":[1,2]},"c":1.50}}"#,
    #" { "value" : { "a" : {"b": [ 1, 2 ]}, "c": 1.50 } , "signal": "g.raw", "at": "1s" } "#,
    #"{"value":0,"at":"1s","signal":"g.raw","value":{"a":{"b":[1,2]},"c":1.50}}"#,
    #"{"at":"1s","signal":"g.r\u0061w","value":{"a":{"b":[1,2]},"c":1.50}}"#,
    #"{"at":"1s","signal":"g.raw","value":{"a":0,"c":1.50,"a":{"b":[1,2]}}}"#,
  ])
  func `a value is the same however its line is written`(line: String) throws {
    let file = try TemporaryFile("signalbox: 1\ngraphs: {g: {signals: {raw: {input: {}}, copy: {from: raw}}}}\n")
    #expect(
      try Client.run("simulate", file.path, input: line).output
        == #"{"event":"next","signal":"g.copy","seq":1,"value":{"a":{"b":[1,2]},"c":1.50},"at":"1s"}"# + "\n")
  }

  @Test func `what the daemon and the client report beside signals' events is skipped`() throws {
    let file = try TemporaryFile(Self.graph)
    let lines = """
      {"event":"connected","epoch":"e","restarted":false,"at":"2026-05-01T12:00:00Z"}
      {"event":"interrupted","signal":"g.raw","reason":"shutting_down","at":"2026-05-01T12:00:00.5Z"}
      {"event":"interrupted","reason":"slow"}
      {"event":"disconnected","reason":"x","at":"2026-05-01T12:00:00.5Z"}
      {"event":"expired","signal":"g.raw","from":1,"oldest":3,"at":"2026-05-01T12:00:00.5Z"}

      """
    let parts = Self.events.components(separatedBy: "\n\n")
    let plain = try Client.run("simulate", file.path, input: Self.events)
    let told = try Client.run("simulate", file.path, input: parts.joined(separator: "\n" + lines))
    #expect(told.status == 0 && told.output == plain.output)
  }

  @Test func `a line that is wrong is reported with its number`() throws {
    let file = try TemporaryFile(Self.graph)
    let computed = #"{"at":"2026-05-01T12:00:02Z","signal":"g.high","value":true}"#
    let result = try Client.run("simulate", file.path, input: Self.events + computed)
    #expect(result.status == 65)
    #expect(result.errors == "signalbox: line 4: g.high is computed from g.raw, g.limit: it takes no values\n")
    #expect(result.output.split(separator: "\n").count == 3)
    #expect(try Client.run("simulate", "--skip-computed", file.path, input: Self.events + computed).status == 0)
    #expect(try Client.run("simulate", file.path, input: "{").status == 65)
    #expect(try Client.run("simulate", file.path, "g.nonesuch").status == 68)
    #expect(try Client.run("simulate", "--until", "soon", file.path).status == 64)
  }

  @Test func `what was recorded of a daemon brings about what the daemon made of it`() throws {
    let graph = """
      signalbox: 1
      graphs:
        g:
          signals:
            raw: {input: {type: object}, pipe: [{map: .v}], replay: 3}
            limit: {property: {initial: 5}}
            raised: {from: raw, pipe: [{filter: . > 100}, {send_to: limit}]}
            high: {combine: [raw, limit], pipe: [{map: '.[0] > .[1]'}], hold: true}
            count: {from: high, pipe: [{scan: {initial: 0, next: $state + 1}}], hold: true}
            late: {from: count, pipe: [{debounce: 100ms}, {map: '"late \\(.)"'}]}
            over: {input: {endable: true}}
            end: {from: over}

      """
    let daemon = try RunningDaemon(graph)
    defer { daemon.stop() }
    func send(_ arguments: String...) throws {
      let result = try Client.run(["send"] + arguments, socket: daemon.socket)
      #expect(result.status == 0, "\(result.errors)")
    }
    // These are retained, and delivered signal by signal.
    try send("g.raw", #"{"v":1}"#)
    try send("g.limit", "3")
    try send("g.raw", #"{"v":7}"#)
    let recorder = try RunningClient("subscribe", "--json", "--timestamps", "g.*", socket: daemon.socket)
    defer { recorder.stop() }
    try recorder.waitForOutput(#""signal":"g.count","seq":3"#)
    try send("g.raw", #"{"v":200}"#, #"{"v":9}"#)
    try send("g.limit", "2")
    try recorder.waitForOutput(#""value":"late 7""#)
    try send("--event", "failed", "--code", "x", "g.over")
    try recorder.waitForOutput(#""event":"failed","signal":"g.end""#)
    try send("g.raw", #"{"v":1}"#)
    try recorder.waitForOutput(#""value":"late 8""#)
    let file = try TemporaryFile(graph)
    let replayed = try Client.run("simulate", "--until", "1h", file.path, "g.*", input: recorder.output)
    #expect(replayed.status == 0, "\(replayed.errors)")
    for signal in ["raw", "limit", "raised", "high", "count", "late", "over", "end"] {
      let (told, made) = (Self.events(of: signal, in: recorder.output), Self.events(of: signal, in: replayed.output))
      // The first ones preceded the recording, and were not retained.
      #expect(!told.isEmpty && made.suffix(told.count) == told[...], "\(signal): \(made), \(told)")
    }
  }

  /// Returns the events of a signal up to their times.
  private static func events(of signal: String, in lines: String) -> [Substring] {
    lines.split(separator: "\n").filter { $0.contains(#""signal":"g.\#(signal)""#) && $0.hasPrefix(#"{"event""#) }.map {
      $0.prefix(upTo: $0.range(of: #","at":"#)?.lowerBound ?? $0.endIndex)
    }
  }

  @Test func `a line that was written by hand goes through the pipe, one that was recorded does not`() throws {
    let file = try TemporaryFile(
      "signalbox: 1\ngraphs: {g: {signals: {a: {input: {}, pipe: [{map: . + 1}]}, b: {from: a}}}}\n")
    let told = #"{"event":"next","signal":"g.a","seq":1,"value":1,"at":"1s"}"# + "\n"
    let computed = #"{"event":"next","signal":"g.b","seq":1,"value":1,"at":"1s"}"# + "\n"
    let byHand = #"{"signal":"g.a","value":1,"at":"1s"}"# + "\n"
    #expect(try Client.run("simulate", file.path, input: told + computed).output.contains(#""value":1,"#))
    #expect(try Client.run("simulate", file.path, input: byHand).output.contains(#""value":2,"#))
    let later = told.replacing("1s", with: "2s")
    #expect(try Client.run("simulate", file.path, input: told + later).output.split(separator: "\n").count == 2)
  }

  @Test func `a value that overlapping subscriptions brought is played once`() throws {
    let file = try TemporaryFile(Self.counting)
    let daemon = try RunningDaemon(Self.counting)
    defer { daemon.stop() }
    func send(_ value: String) throws {
      #expect(try Client.run(["send", "g.in", value], socket: daemon.socket).status == 0)
    }
    try send("1")
    try send("2")
    let recorder = try RunningClient("subscribe", "--json", "--timestamps", "g.in", "g.*", socket: daemon.socket)
    defer { recorder.stop() }
    try recorder.waitForOutput(#""subscription":"g.*","signal":"g.count","seq":2"#)
    try send("3")
    try recorder.waitForOutput(#""subscription":"g.*","signal":"g.count","seq":3"#)
    let replayed = try Client.run("simulate", file.path, "g.*", input: recorder.output)
    #expect(Self.values(of: "in", replayed.output) == ["1", "2", "3"], "\(replayed)")
    #expect(Self.values(of: "count", replayed.output) == ["1", "2", "3"])
  }

  @Test(arguments: ["g.*", "g.in"]) func `a signal that was restarted continues`(recorded: String) throws {
    let file = try TemporaryFile(Self.counting)
    let lines = [
      #"{"reply":"subscribe","id":1,"signals":[{"signal":"g.in","seq":0},{"signal":"g.count","seq":0}]}"#,
      told("g.in", 1, "1s"), #"{"event":"completed","signal":"g.in","at":"2s"}"#,
      #"{"event":"completed","signal":"g.count","at":"2s"}"#,
      #"{"event":"subscribed","signal":"g.count","seq":1,"at":"3s"}"#,
      #"{"event":"subscribed","signal":"g.in","seq":1,"at":"3s"}"#, told("g.in", 2, "4s"),
    ]
    // A subscription to a name ends with the signal, and another one follows.
    let told = recorded == "g.*" ? lines : lines.filter { $0.contains("g.in") && !$0.contains("subscribed") }
    let replayed = try Client.run("simulate", file.path, "g.*", input: told.joined(separator: "\n"))
    #expect(replayed.status == 0)
    #expect(Self.values(of: "in", replayed.output) == ["1", "2"])
    #expect(Self.values(of: "count", replayed.output) == ["1", "1"])
    #expect(replayed.output.split(separator: "\n").count { $0.contains(#""completed""#) } == 2)
  }

  @Test func `a line that was written by hand restarts a signal`() throws {
    let file = try TemporaryFile(Self.counting)
    let lines = [
      #"{"event":"failed","signal":"g.in","at":"1s"}"#, #"{"event":"subscribed","signal":"g.in","at":"2s"}"#,
      #"{"signal":"g.in","value":5,"at":"3s"}"#,
    ]
    let replayed = try Client.run("simulate", file.path, "g.*", input: lines.joined(separator: "\n"))
    #expect(Self.values(of: "in", replayed.output) == ["5"])
    let ended = try Client.run("simulate", file.path, "g.*", input: lines[0] + "\n" + lines[2])
    #expect(ended.status == 65)
    #expect(ended.errors.contains("line 2: g.in: "))
  }

  private static let counting = """
    signalbox: 1
    graphs:
      g:
        signals:
          in: {input: {endable: true}, replay: 3}
          count: {from: in, pipe: [{scan: {initial: 0, next: $state + 1}}], hold: true}
    """

  private func told(_ signal: String, _ number: Int, _ at: String) -> String {
    #"{"event":"next","signal":"\#(signal)","seq":\#(number),"value":\#(number),"at":"\#(at)"}"#
  }

  private static func values(of signal: String, _ lines: String) -> [String] {
    lines.split(separator: "\n").filter { $0.contains(#""g.\#(signal)""#) }.compactMap { line in
      line.range(of: #""value":"#).map { String(line[$0.upperBound...].prefix { $0.isNumber }) }
    }
  }

  @Test func `values of timers are passed over, whatever their time`() throws {
    let file = try TemporaryFile(
      """
      signalbox: 1
      graphs:
        g:
          signals:
            tick: {interval: 100ms}
            count: {from: tick, pipe: [{scan: {initial: 0, next: $state + 1}}]}
            once: {value: 7}
      """)
    func told(_ signal: String, _ seq: Int, _ value: Int, _ second: String) -> String {
      let at = "2026-05-01T12:00:\(second)Z"
      return #"{"event":"next","signal":"g.\#(signal)","seq":\#(seq),"value":\#(value),"at":"\#(at)"}"# + "\n"
    }
    let lines = [
      told("once", 1, 7, "00"), told("tick", 1, 0, "00.099995"), told("count", 1, 1, "00.099995"),
      told("tick", 2, 1, "00.199993"), told("count", 2, 2, "00.199993"), told("tick", 3, 2, "00.300008"),
    ]
    let result = try Client.run("simulate", file.path, "g.*", input: lines.joined())
    #expect(Self.values(of: "tick", result.output) == ["0", "1", "2"], "\(result)")
    #expect(Self.values(of: "count", result.output) == ["1", "2", "3"])
    #expect(Self.values(of: "once", result.output) == ["7"])
  }

  @Test func `what the graphs emit by themselves is not emitted twice, and the daemon may restart`() throws {
    let file = try TemporaryFile(
      "signalbox: 1\ngraphs: {g: {signals: {a: {input: {}}, tick: {interval: 1s}, load: {file: /proc/loadavg}}}}\n")
    func told(_ signal: String, _ seq: Int, _ value: Int, _ at: String) -> String {
      #"{"event":"next","signal":"g.\#(signal)","seq":\#(seq),"value":\#(value),"at":"\#(at)"}"# + "\n"
    }
    let lines = [
      told("a", 7, 70, "0s"), told("tick", 1, 0, "1s"), told("tick", 2, 1, "2100ms"), told("load", 1, 5, "2200ms"),
      told("a", 8, 80, "2300ms"), told("a", 1, 10, "2400ms"), told("a", 2, 20, "2500ms"),
    ]
    let output = try Client.run("simulate", file.path, "g.*", input: lines.joined()).output
    func values(of signal: String) -> [String] {
      output.split(separator: "\n").filter { $0.contains(#""g.\#(signal)""#) }.compactMap { line in
        line.range(of: #""value":"#).map { String(line[$0.upperBound...].prefix { $0.isNumber }) }
      }
    }
    #expect(values(of: "a") == ["70", "80", "10", "20"])
    #expect(values(of: "tick") == ["0", "1"])
    #expect(values(of: "load") == ["5"])
  }
}
