import TestSupport
import Testing

/// The client's requests to a daemon and its reaction to the answers.
struct TalkTests {
  /// Returns the id of a request line.
  private static func id(_ line: String) -> String {
    line.split(separator: "\"id\":").last.map { String($0.prefix { $0.isNumber }) } ?? ""
  }

  private func talk(
    _ arguments: String..., input: String = "", script: @escaping FakeDaemon.Script
  ) throws -> (result: Client.Result, lines: [String]) {
    try talk(arguments, input: input, script: script)
  }

  private func talk(
    _ arguments: [String], input: String = "", script: @escaping FakeDaemon.Script
  ) throws -> (result: Client.Result, lines: [String]) {
    let daemon = try FakeDaemon(script)
    defer { daemon.stop() }
    return (try Client.run(arguments, input: input, socket: daemon.path), daemon.lines)
  }

  private static func refusal(_ code: String, of line: String) -> String {
    #"{"reply":"error","id":\#(id(line)),"op":"x","error":{"code":"\#(code)","message":"because"}}"#
  }

  @Test(arguments: [(false, ""), (true, "signalbox: duplicate message: already accepted\n")])
  func `send --message-id names the message, and reports if it was carried out before`(
    isDuplicate: Bool, said: String
  ) throws {
    let (result, lines) = try talk("send", "a.b", "1.50", "--message-id", "order-1") { line in
      let end = isDuplicate ? #","duplicate":true}"# : "}"
      return [#"{"reply":"send","id":\#(Self.id(line)),"signal":"a.b","seq":1\#(end)"#]
    }
    #expect(result.status == 0)
    #expect(result.errors == said)
    #expect(lines == [#"{"op":"send","id":1,"signal":"a.b","value":1.50,"message_id":"order-1"}"#])
  }

  @Test func `an ending may have a message-id too`() throws {
    let (result, lines) = try talk("send", "--event", "completed", "a.b", "--message-id", "x") { line in
      [#"{"reply":"send","id":\#(Self.id(line)),"signal":"a.b","seq":1}"#]
    }
    #expect(result.status == 0)
    #expect(lines == [#"{"op":"send","id":1,"signal":"a.b","event":"completed","message_id":"x"}"#])
  }

  @Test func `get prints the value alone, as it was sent`() throws {
    let (result, lines) = try talk("get", "a.b") { line in
      [#"{"reply":"get","id":\#(Self.id(line)),"signal":"a.b","seq":3,"value":{"x":1.50}}"#]
    }
    #expect(result.output == "{\"x\":1.50}\n")
    #expect(result.status == 0)
    #expect(lines == [#"{"op":"get","id":1,"signal":"a.b"}"#])
  }

  @Test func `get --raw prints a string without quotes, --json the whole line`() throws {
    let script: FakeDaemon.Script = { [#"{"reply":"get","id":\#(Self.id($0)),"signal":"a.b","seq":3,"value":"a\nb"}"#] }
    #expect(try talk("get", "-r", "a.b", script: script).result.output == "a\nb\n")
    #expect(
      try talk("get", "--json", "a.b", script: script).result.output
        == #"{"reply":"get","id":1,"signal":"a.b","seq":3,"value":"a\nb"}"# + "\n")
  }

  @Test(arguments: [
    ("unknown_signal", 68), ("no_value", 75), ("denied", 77), ("bad_value", 65), ("bad_request", 64), ("ended", 1),
    ("shutting_down", 69), ("internal", 70), ("a code of the future", 76),
  ])
  func `a refusal is reported and becomes the exit status`(code: String, status: Int32) throws {
    let result = try talk("get", "a.b") { [Self.refusal(code, of: $0)] }.result
    #expect(result.status == status)
    #expect(result.errors == "signalbox: because\n")
    #expect(result.output.isEmpty)
  }

  @Test func `words of others cannot steer the terminal, nor begin a line`() throws {
    let evil = #"a\u001b]0;title\u0007\nsignalbox: forged\u009bm"#
    let shown = #"a\u001b]0;title\u0007\nsignalbox: forged\u009bm"#
    let refused = try talk("get", "a.b") { line in
      [#"{"reply":"error","id":\#(Self.id(line)),"op":"get","error":{"code":"failed","message":"\#(evil)"}}"#]
    }
    #expect(refused.result.errors == "signalbox: \(shown)\n")
    let failed = try talk("subscribe", "a.b") { line in
      [
        #"{"reply":"subscribe","id":\#(Self.id(line)),"signals":[{"signal":"a.b","seq":0}]}"#,
        #"{"event":"failed","signal":"a.b","error":{"code":"x","message":"\#(evil)"}}"#,
      ]
    }
    #expect(failed.result.errors == "signalbox: a.b failed: \(shown)\n")
    let list = try talk("list") { line in
      [#"{"reply":"list","id":\#(Self.id(line)),"signals":[{"signal":"a.b","kind":"input","doc":"\#(evil)"}]}"#]
    }
    #expect(list.result.output == "a.b\tinput\t\t-\t-\t\(shown.replacing(#"\n"#, with: " "))\t\t\n")
  }

  @Test func `send passes numbers and strings on as they were written`() throws {
    let (result, lines) = try talk("send", "a.b", "1.50", "-3", #"{"x": "\u00e9"}"#) { line in
      [#"{"reply":"send","id":\#(Self.id(line)),"signal":"a.b","seq":1}"#]
    }
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    #expect(
      lines == [
        #"{"op":"send","id":1,"signal":"a.b","value":1.50}"#, #"{"op":"send","id":2,"signal":"a.b","value":-3}"#,
        #"{"op":"send","id":3,"signal":"a.b","value":{"x":"\u00e9"}}"#,
      ])
  }

  @Test func `send takes the lines of standard input and names the ones that are refused`() throws {
    let (result, lines) = try talk("send", "a.b", "-", input: "1\n\nnope\n 3 \n4") { line in
      line.contains("\"value\":3")
        ? [Self.refusal("bad_value", of: line)] : [#"{"reply":"send","id":\#(Self.id(line))}"#]
    }
    #expect(lines.map { $0.split(separator: "\"value\":").last } == ["1}", "3}", "4}"])
    #expect(result.status == 65)
    #expect(result.errors.contains("line 3: invalid JSON nope"))
    #expect(result.errors.contains("line 4: because"))
  }

  @Test func `send --string sends text`() throws {
    let lines = try talk("send", "--string", "a.b", "say \"hi\"") { [#"{"reply":"send","id":\#(Self.id($0))}"#] }.lines
    #expect(lines == [#"{"op":"send","id":1,"signal":"a.b","value":"say \"hi\""}"#])
  }

  @Test(arguments: [["--string", "a.b", "-5"], ["--string", "--", "a.b", "-5"], ["--string", "a.b", "--", "-5"]])
  func `send --string sends a negative number as it is written`(operands: [String]) throws {
    let lines = try talk(["send"] + operands) { [#"{"reply":"send","id":\#(Self.id($0))}"#] }.lines
    #expect(lines == [#"{"op":"send","id":1,"signal":"a.b","value":"-5"}"#])
  }

  @Test func `send ends a signal`() throws {
    let lines = try talk("send", "--event", "failed", "--code", "x", "a.b") {
      [#"{"reply":"send","id":\#(Self.id($0))}"#]
    }
    .lines
    #expect(lines == [#"{"op":"send","id":1,"signal":"a.b","event":"failed","error":{"code":"x","message":""}}"#])
  }

  @Test func `subscribe prints the values of one signal alone and ends with it`() throws {
    let (result, lines) = try talk("subscribe", "--replay", "2", "a.b") { line in
      [
        #"{"reply":"subscribe","id":1,"signals":[{"signal":"a.b","seq":2}]}"#,
        #"{"event":"next","signal":"a.b","seq":1,"value":1.10}"#, #"{"event":"lagged","signal":"a.b","dropped":7}"#,
        #"{"event":"next","signal":"a.b","seq":9,"value":"x"}"#, #"{"event":"completed","signal":"a.b"}"#,
      ]
    }
    #expect(result.output == "1.10\n\"x\"\n")
    #expect(result.errors == "signalbox: a.b: 7 values are missing here\nsignalbox: a.b completed\n")
    #expect(result.status == 0)
    #expect(lines == [#"{"op":"subscribe","id":1,"signal":"a.b","replay":2}"#])
  }

  @Test func `a signal that is named twice is subscribed to once`() throws {
    let (result, lines) = try talk("subscribe", "--take", "1", "a.b", "a.b") { line in
      let id = Self.id(line)
      return [
        #"{"reply":"subscribe","id":\#(id),"signals":[{"signal":"a.b","seq":1}]}"#,
        #"{"event":"next","signal":"a.b","seq":1,"value":1}"#, #"{"event":"ended","id":\#(id),"reason":"take"}"#,
      ]
    }
    #expect(result.output == "1\n")
    #expect(result.status == 0)
    #expect(lines == [#"{"op":"subscribe","id":1,"signal":"a.b","take":1}"#])
  }

  @Test func `subscribe names the signals of a pattern and ends with its take`() throws {
    let result = try talk("subscribe", "--take", "2", "a.*") { _ in
      [
        #"{"reply":"subscribe","id":1,"signals":[]}"#, #"{"event":"next","signal":"a.b","seq":1,"value":1}"#,
        #"{"event":"completed","signal":"a.b"}"#, #"{"event":"next","signal":"a.c","seq":1,"value":2}"#,
        #"{"event":"ended","signal":"a.*","reason":"take"}"#,
      ]
    }.result
    #expect(result.output == "a.b\t1\na.c\t2\n")
    #expect(result.status == 0)
  }

  @Test(arguments: [
    (#"{"event":"failed","signal":"a.b","error":{"code":"x","message":"broken"}}"#, 1),
    (#"{"event":"interrupted","signal":"a.b","reason":"denied"}"#, 77),
    (#"{"event":"interrupted","signal":"a.b","reason":"shutting_down"}"#, 69),
    (#"{"event":"interrupted","reason":"slow"}"#, 69),
  ])
  func `how a signal ended is the exit status`(ending: String, status: Int32) throws {
    let result = try talk("subscribe", "a.b") { _ in
      [#"{"reply":"subscribe","id":1,"signals":[{"signal":"a.b","seq":0}]}"#, ending]
    }.result
    #expect(result.status == status)
  }

  @Test func `a daemon that goes away is reported`() throws {
    let result = try talk("subscribe", "a.b") { _ in nil }.result
    #expect(result.status == 69)
    #expect(result.errors == "signalbox: the daemon closed the connection\n")
  }

  @Test(arguments: ["subscribe", "wait"], ["a.b", "a.*"])
  func `a command that does not follow reports a daemon that stops or could not resume it as lost`(
    command: String, pattern: String
  ) throws {
    for reason in ["shutting_down", "restarted"] {
      let result = try talk(command, pattern) { _ in
        // The connection may stay open after a handover.
        [
          #"{"reply":"subscribe","id":1,"signals":[{"signal":"a.b","seq":0}]}"#,
          #"{"event":"interrupted","signal":"a.b","reason":"\#(reason)"}"#,
        ] + (reason == "restarted" ? [] : [FakeDaemon.closing])
      }.result
      #expect(result.status == 69)
      let isSaid = result.errors == "signalbox: a.b was interrupted: \(reason)\n"
      // A pattern ends with the connection.
      #expect(isSaid || (command, pattern, reason) == ("subscribe", "a.*", "shutting_down"), "\(result.errors)")
    }
  }

  @Test func `wait ends with the first value`() throws {
    let (result, lines) = try talk("wait", "a.b", "--timeout", "10s") { _ in
      [
        #"{"reply":"subscribe","id":1,"signals":[{"signal":"a.b","seq":0}]}"#,
        #"{"event":"next","signal":"a.b","seq":5,"value":2}"#,
      ]
    }
    #expect(result.output == "2\n")
    #expect(lines == [#"{"op":"subscribe","id":1,"signal":"a.b","take":1}"#])
  }

  @Test func `wait --where passes over values for which the expression is false or fails`() throws {
    let result = try talk("wait", "a.b", "--where", "startswith(\"re\") and $signal == \"a.b\"") { _ in
      [#"{"reply":"subscribe","id":1,"signals":[{"signal":"a.b","seq":0}]}"#]
        + ["\"green\"", "7", "\"red\"", "\"rot\""].map { #"{"event":"next","signal":"a.b","seq":5,"value":\#($0)}"# }
    }.result
    #expect(result.output == "\"red\"\n")
  }

  @Test func `a wrong expression is shown with its place`() throws {
    let result = try Client.run("wait", "a.b", "--where", ". > nonsense")
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("signalbox: --where: "))
    #expect(result.errors.hasSuffix("\n  . > nonsense\n      ^^^^^^^^\n"))
  }

  @Test func `wait ends when the time is over, or the signal`() throws {
    let quiet = try talk("wait", "a.b", "--timeout", "50ms") { _ in [#"{"reply":"subscribe","id":1,"signals":[]}"#] }
    #expect(quiet.result.status == 75)
    let ended = try talk("get", "--wait", "a.b") { _ in
      [#"{"reply":"subscribe","id":1,"signals":[]}"#, #"{"event":"completed","signal":"a.b"}"#]
    }
    #expect(ended.result.status == 1)
    #expect(ended.result.errors.contains("a.b ended without a matching value"))
  }

  @Test func `wait reports that its expression fails, at once and at the end`() throws {
    let (result, _) = try talk("wait", "a.b", "--where", ".value > 90", "--timeout", "50ms") { _ in
      [
        #"{"reply":"subscribe","id":1,"signals":[{"signal":"a.b","seq":2}]}"#,
        #"{"event":"next","signal":"a.b","seq":1,"value":95}"#, #"{"event":"next","signal":"a.b","seq":2,"value":{}}"#,
      ]
    }
    #expect(result.status == 75)
    #expect(result.errors.contains("signalbox: --where fails on a value of a.b: Cannot index number"))
    #expect(
      result.errors.contains(
        "a.b: timed out without a matching value; the expression of --where failed on 1 of 2 values: "),
      "\(result.errors)")
  }

  @Test func `list separates columns by tabs in a pipe`() throws {
    let result = try talk("list") { line in
      if line.contains(#""op":"values""#) {
        return [#"{"reply":"values","id":2,"values":[{"signal":"a.b","seq":1,"value":{"x":"\t"}}]}"#]
      }
      return [
        #"{"reply":"list","id":1,"signals":[{"signal":"a.b","kind":"input","send":true,"subscribe":true,"held":true,"unit":"V","doc":"two\nlines"},{"signal":"a.c","kind":"derived","send":false,"subscribe":true,"held":false,"ended":{"event":"failed","error":{"code":"timeout","message":"x"},"at":"2026-05-01T12:00:00.000000Z"}}]}"#
      ]
    }.result
    #expect(
      result.output == "a.b\tinput\tsend,subscribe\theld\t-\ttwo lines\tV\t{\"x\":\"\\t\"}\n"
        + "a.c\tderived\tsubscribe\t-\tfailed: timeout\t\t\t\n")
  }

  @Test func `a refused reload prints every error and exits with 78`() throws {
    let result = try talk("reload") { _ in
      [
        #"{"reply":"error","id":1,"op":"reload","error":{"code":"bad_config","message":"1 error","errors":[{"severity":"error","file":"f.yaml","line":3,"column":5,"length":3,"message":"no operator \"mpa\"","suggestion":"map"}]}}"#
      ]
    }.result
    #expect(result.status == 78)
    #expect(result.errors == "f.yaml:3:5: error: no operator \"mpa\"; did you mean \"map\"?\nsignalbox: 1 error\n")
  }

  @Test func `a reload that is accepted reports what it changed`() throws {
    let result = try talk("reload") { _ in
      [
        #"{"reply":"reload","id":1,"generation":2,"kept":["a.b"],"changed":[],"added":["a.c","a.d"],"removed":[],"needs_restart":[]}"#
      ]
    }.result
    #expect(result.output == "generation 2\nkept: 1 signal\nadded: a.c, a.d\n")
  }

  @Test func `a reload counts what is kept and names no more than can be read`() throws {
    let names = (0..<100).map { "\"a.s\($0)\"" }.joined(separator: ",")
    let answer =
      #"{"reply":"reload","id":1,"generation":2,"kept":[\#(names)],"changed":[\#(names)],"added":[],"removed":[],"needs_restart":[]}"#
    let output = try talk("reload") { _ in [answer] }.result.output
    #expect(output.hasPrefix("generation 2\nkept: 100 signals\nchanged: a.s0, a.s1, "))
    #expect(output.hasSuffix(", a.s19 and 80 more\n"))
    let quiet = try talk("reload", "--quiet") { _ in [answer] }.result
    #expect(quiet.output.isEmpty && quiet.errors.isEmpty && quiet.status == 0)
  }

  @Test func `a quiet reload that is refused prints one line, and leaves the rest to the log`() throws {
    let result = try talk("reload", "--quiet") { _ in
      [
        #"{"reply":"error","id":1,"op":"reload","error":{"code":"bad_config","message":"1 error","errors":[{"severity":"error","file":"f.yaml","line":3,"column":5,"length":3,"message":"no operator"}]}}"#
      ]
    }.result
    #expect(result.status == 78 && result.errors == "signalbox: 1 error\n")
  }

  @Test func `one subscription that is refused ends all, at once`() throws {
    let result = try talk("subscribe", "a.b", "a.c") { line in
      line.contains("a.c")
        ? [Self.refusal("unknown_signal", of: line)]
        : [#"{"reply":"subscribe","id":\#(Self.id(line)),"signals":[{"signal":"a.b","seq":0}]}"#]
    }.result
    #expect(result.status == 68 && result.errors == "signalbox: because\n")
  }

  @Test func `a signal that ends is no end of a pattern that covers it, too`() throws {
    let (result, lines) = try talk("subscribe", "a.b", "a.*") { line in
      if line.contains(#""signal":"a.b""#) { return [#"{"reply":"subscribe","id":\#(Self.id(line)),"signals":[]}"#] }
      return [#"{"reply":"subscribe","id":\#(Self.id(line)),"signals":[]}"#]
        + ["a.b", "a.*"].map { #"{"event":"completed","subscription":"\#($0)","signal":"a.b"}"# }
        + [
          #"{"event":"next","subscription":"a.*","signal":"a.c","seq":1,"value":1}"#,
          #"{"event":"ended","subscription":"a.*","signal":"a.*","reason":"take"}"#,
        ]
    }
    #expect(result.status == 0 && result.output == "a.c\t1\n")
    #expect(lines.first == #"{"op":"subscribe","id":1,"signal":"a.b","subscription":"a.b"}"#)
  }

  @Test func `a pattern that covers nothing is an error`() throws {
    let script: FakeDaemon.Script = { [#"{"reply":"list","id":\#(Self.id($0)),"signals":[]}"#] }
    for command in ["list", "get"] {
      let result = try talk(command, "a.*", script: script).result
      #expect(result.status == 68)
      #expect(result.errors == "signalbox: no signal matches a.*; see signalbox list\n")
    }
  }

  @Test(arguments: [false, true]) func `get prints the values that a pattern covers, with their names`(isJSON: Bool)
    throws
  {
    let values = ["a.b": "1", "a.d": "[2]"]
    let script: FakeDaemon.Script = { line in
      if line.contains("list") {
        let signals = ["a.b", "a.c", "a.d"].map {
          #"{"signal":"\#($0)","kind":"derived","send":false,"subscribe":true,"held":\#(values[$0] != nil)}"#
        }
        return [#"{"reply":"list","id":1,"signals":[\#(signals.joined(separator: ","))]}"#]
      }
      return values.filter { line.contains("\"\($0.key)\"") }.map {
        #"{"reply":"get","id":\#(Self.id(line)),"signal":"\#($0.key)","seq":1,"value":\#($0.value)}"#
      }
    }
    if isJSON {
      let output = try talk("get", "--json", "a.*", script: script).result.output
      #expect(output.split(separator: "\n").map { $0.contains(#""reply":"get""#) } == [true, true])
    } else {
      #expect(try talk("get", "a.*", script: script).result.output == "a.b\t1\na.d\t[2]\n")
    }
  }

  @Test func `a wait for a pattern prints which signal it was`() throws {
    let result = try talk("wait", "*.alarm") { _ in
      [#"{"reply":"subscribe","id":1,"signals":[]}"#, #"{"event":"next","signal":"a.alarm","seq":1,"value":true}"#]
    }.result
    #expect(result.output == "a.alarm\ttrue\n")
  }

  @Test func `call prints outputs until the answer`() throws {
    let (result, lines) = try talk("call", "a.fan", "{}") { _ in
      [
        #"{"event":"next","call":1,"value":"on"}"#, #"{"event":"next","call":1,"value":2}"#,
        #"{"reply":"call","id":1}"#,
      ]
    }
    #expect(result.output == "\"on\"\n2\n")
    #expect(lines == [#"{"op":"call","id":1,"action":"a.fan","value":{}}"#])
  }

  @Test(arguments: [true, false])
  func `a command whose output is no longer read ends quietly`(isQuiet: Bool) throws {
    // A flow of values ends it at its next write, a quiet signal only when the reader leaves.
    let daemon = try FakeDaemon { _ in
      let value = #"{"event":"next","signal":"a.b","seq":1,"value":1}"#
      return isQuiet ? [value] : [String](repeating: value, count: 50_000)
    }
    defer { daemon.stop() }
    let result = try Client.run(
      program: "/bin/bash",
      ["-c", "set -o pipefail; '\(Client.path)' subscribe -s \(daemon.path) a.b | head -n 1"])
    #expect(result.status == 0)
    #expect(result.output == "1\n")
    #expect(result.errors.isEmpty)
  }
}
